// Brings the page's charts to life. Everything the charts show also stands in the page's tables, which need no script.
import { cdf_option } from './charts/cdf.js';
import { by_level_option } from './charts/by_level.js';
import { mount } from './charts/base.js';
import { time_line_option } from './charts/time_line.js';
import { level_name, system_name } from './format.js';
import { levels_of, percentile } from './levels.js';
import { theme } from './theme.js';

const { summary, details } = JSON.parse(document.getElementById('run-data').textContent);
const METRICS = { ttft: 'TTFT', tpot: 'TPOT', e2e: 'E2E' };
const METRIC_KEYS = Object.keys(METRICS).map((name) => `${name}_ms`);
const steps = summary.systems.flatMap((system) => system.steps);
const has = (kind) => steps.some((step) => step.kind === kind);
const redraws = [];

// Connects the figure named `name` to a function that makes its option from the figure's controls. Figures without anything to
// show go away.
function figure(name, is_wanted, option_of) {
  const node = document.querySelector(`figure[data-chart="${name}"]`);
  if (!is_wanted) {
    node.remove();
    return;
  }
  const controls = node.querySelector('.controls');
  if (controls) controls.hidden = false;
  const chart = mount(node);
  const control = (id) => {
    const input = node.querySelector(`[name="${id}"]`);
    return input.type === 'checkbox' ? input.checked : input.value;
  };
  const redraw = () => chart.setOption(option_of(control, theme()), { notMerge: true });
  node.addEventListener('change', redraw);
  redraw();
  redraws.push(() => { redraw(); chart.resize(); });
}

function fill(name, id, options) {
  const select = document.querySelector(`figure[data-chart="${name}"] select[name="${id}"]`);
  for (const { value, text } of options) select.add(new Option(text, value));
}

const open_kind = has('ladder') ? 'ladder' : 'replay';
const offered = { x: (s) => s.planned_rate ?? s.sent_rate, x_name: 'rate asked (req/s)' };

function latency(control, colours, kind) {
  const metric = control('metric');
  const name = control('percentile');
  return by_level_option(summary, colours, {
    ...(kind === 'closed' ? { x: (s) => s.concurrency, x_name: 'requests in flight (closed loop)' } : offered),
    kind,
    y: (s) => percentile(s, `${metric}_ms`, name, control('failures')),
    y_name: `${METRICS[metric]} ${name.toUpperCase()} (ms)`,
    unit: 'ms', x_log: control('x_log'), y_log: control('y_log'),
  });
}

function closed(control, colours) {
  const rates = { completed: ['requests completed per second', 'req/s', (s) => s.completed_rate],
    tokens: ['output tokens per second', 'tok/s', (s) => s.output_tokens.per_s] };
  const what = control('metric');
  if (!(what in rates)) return latency(control, colours, 'closed');
  const [y_name, unit, y] = rates[what];
  return by_level_option(summary, colours, {
    kind: 'closed', x: (s) => s.concurrency, x_name: 'requests in flight (closed loop)', y, y_name, unit,
    x_log: control('x_log'), y_log: control('y_log'),
  });
}

function start() {
  const open = steps.filter((step) => step.kind !== 'closed');
  for (const name of ['latency', 'completed', 'tokens']) {
    fill(name, 'kind', ['ladder', 'replay'].filter(has).map((kind) => ({ value: kind, text: kind })));
    if (!(has('ladder') && has('replay'))) document.querySelector(`figure[data-chart="${name}"] .kind`).remove();
  }
  const kind_of = (control) => (has('ladder') && has('replay') ? control('kind') : open_kind);
  figure('latency', open.some((step) => METRIC_KEYS.some((key) => percentile(step, key, 'p95', true) !== undefined)),
    (control, colours) => latency(control, colours, kind_of(control)));
  figure('completed', open.some((step) => step.completed_rate !== undefined), (control, colours) => by_level_option(summary, colours, {
    ...offered, kind: kind_of(control), y: (s) => s.completed_rate, y_name: 'completed (req/s)', unit: 'req/s', diagonal: true,
  }));
  figure('tokens', open.some((step) => step.output_tokens.per_s !== undefined), (control, colours) => by_level_option(summary, colours, {
    ...offered, kind: kind_of(control), y: (s) => s.output_tokens.per_s, y_name: 'output tokens per second', unit: 'tok/s',
  }));
  figure('closed', has('closed'), closed);

  const levels = new Map();
  summary.systems.flatMap((s) => levels_of(s)).forEach((level) => levels.set(level.key, level));
  const ordered = ['ladder', 'replay', 'closed'].flatMap((kind) => [...levels.values()]
    .filter((level) => level.kind === kind).sort((a, b) => a.value - b.value));
  fill('cdf', 'level', ordered.map((level) => ({ value: level.key, text: level_name(level) })));
  const any_cdf = details.some((system) => system.some((d) => Object.values(d.cdf).some((v) => v.length > 1)));
  figure('cdf', any_cdf, (control, colours) => cdf_option(summary, details, colours, {
    level_key: control('level'), metric: control('metric'), metric_name: METRICS[control('metric')], log: control('x_log'),
  }));

  const lines = details.flatMap((system, i) => system.map((d, j) => ({ i, j, d })))
    .filter(({ d }) => Object.values(d.series).some((v) => v.length > 1));
  fill('time_line', 'step', lines.map(({ i, j }) => ({ value: `${i} ${j}`, text: step_name(i, j) })));
  figure('time_line', lines.length > 0, (control, colours) => {
    const [i, j] = control('step').split(' ').map(Number);
    return time_line_option(details[i][j].series, colours);
  });
  if (!document.querySelector('figure')) {
    document.querySelector('#charts .needs-script').textContent = 'Nothing was measured that could be drawn.';
  }
}

function step_name(i, j) {
  const step = summary.systems[i].steps[j];
  const value = step.kind === 'closed' ? step.concurrency : step.planned_rate ?? step.sent_rate;
  const level = value === undefined ? step.kind : level_name({ kind: step.kind, value });
  return `${system_name(summary.systems[i])}, ${level}, block ${step.block}`;
}

// Paper is white whatever the screen is; the charts follow.
function redraw_all() {
  redraws.forEach((redraw) => redraw());
}
addEventListener('beforeprint', () => { document.documentElement.dataset.theme = 'light'; redraw_all(); });
addEventListener('afterprint', () => { delete document.documentElement.dataset.theme; redraw_all(); });
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw_all);
document.documentElement.classList.add('scripted');
start();
