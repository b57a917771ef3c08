// Numbers as words, the same as report/text.cc prints them in the tables. Absent is a dash, never 0.

export function number(value) {
  if (value === undefined || value === null) return '–';
  if (typeof value !== 'number') return String(value);
  const size = Math.abs(value);
  const digits = size < 10 ? 2 : size < 100 ? 1 : 0;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

// A level that somebody chose: 4, 0.5, 1.333.
export function compact(value) {
  return value === undefined ? '–' : String(Number(value.toFixed(3)));
}

export function level_name(level) {
  if (level.kind === 'closed') return `${compact(level.value)} in flight (closed loop)`;
  return `${level.kind === 'replay' ? 'replay ' : ''}${compact(level.value)} req/s`;
}

export function system_name(system) {
  return system.simulated ? `${system.name} (simulated)` : system.name;
}
