// One figure of every system against the level of the load: the latency chart, tokens per second, completed against offered and
// the closed loop are all this chart with another figure.
import { compact, level_name, number, system_name } from '../format.js';
import { is_held, is_usable, levels_of, median } from '../levels.js';
import { look } from '../theme.js';
import { frame, step_lines, tooltip_of, x_axis, y_axis } from './base.js';

// chart: { kind, x(step), y(step), x_name, y_name, unit, x_log, y_log, diagonal }
export function by_level_option(run, colours, chart) {
  const all = run.systems.map((system, index) => collect(system, index, chart));
  const finite = all.flatMap((one) => one.points).map((p) => p.y).filter((y) => typeof y === 'number');
  const top = ceiling(finite, chart.y_log);
  const first = all.findIndex((one) => one.points.some((p) => p.y === 'unbounded'));
  const series = all.flatMap((one) => series_of(one, colours, top, { ...chart, says_unbounded: one.index === first }));
  if (chart.diagonal) series.push(diagonal(all, colours));
  return frame(colours, {
    legend: { ...frame(colours, {}).legend, data: run.systems.map((s, i) => ({ name: legend_name(s, i) })) },
    xAxis: x_axis(colours, chart.x_name, { type: chart.x_log ? 'log' : 'value', ...bounds(all, colours, chart) }),
    yAxis: y_axis(colours, chart.y_name, {
      type: chart.y_log ? 'log' : 'value', min: chart.y_log ? (finite.length > 0 ? undefined : 1) : 0, max: first >= 0 ? top : undefined,
    }),
    series,
  });
}

// Two systems may carry the same display name; the legend needs different ones.
function legend_name(system, index) {
  return `${system_name(system)}${'\u200b'.repeat(index)}`;
}

function bounds(all, colours, chart) {
  const xs = all.flatMap((one) => one.points).map((p) => p.x);
  if (xs.length === 0) return {};
  const axisLabel = { color: colours.muted, fontSize: 12, hideOverlap: true, showMaxLabel: false };
  const high = Math.max(...xs);
  return chart.x_log ? { min: Math.min(...xs) * 0.8, max: high * 1.25, axisLabel: { ...axisLabel, formatter: compact } }
    : { min: 0, max: high * 1.05, axisLabel };
}

function collect(system, index, chart) {
  const points = [];
  for (const level of levels_of(system, chart.kind)) {
    const usable = level.steps.filter(({ step }) => is_usable(step));
    const chosen = usable.length > 0 ? usable : level.steps;
    const x = median(chosen.map(({ step }) => chart.x(step)));
    const y = median(chosen.map(({ step }) => chart.y(step)));
    if (x === undefined || y === undefined) continue;
    if ((chart.x_log && x <= 0) || (chart.y_log && y <= 0)) continue;
    points.push({ x, y, level, held: usable.length > 0 && usable.every(({ step }) => is_held(step)) });
  }
  return { system, index, points };
}

// Room above the highest finite value, for the marks of what has none.
function ceiling(values, log) {
  if (values.length === 0) return log ? 10 : 1;
  const high = Math.max(...values);
  const wanted = log ? high * 2 : high * 1.15;
  const unit = 10 ** Math.floor(Math.log10(wanted));
  return Math.ceil((wanted / unit) * 5) / 5 * unit || 1;
}

function series_of({ system, index, points }, colours, top, chart) {
  const style = look(index, colours);
  const name = legend_name(system, index);
  const tooltip = { formatter: ({ data }) => (data.point ? tip(system, data, chart) : '') };
  const main = {
    name, type: 'line', symbol: style.symbol, symbolSize: 9, tooltip,
    lineStyle: { color: style.colour, width: 2, type: style.dash }, itemStyle: { color: style.colour },
    emphasis: { scale: 1.4 },
    data: points.map((point) => ({
      value: [point.x, point.y === 'unbounded' ? null : point.y],
      point,
      itemStyle: point.held ? { color: style.colour } : { color: colours.surface, borderColor: style.colour, borderWidth: 1.5, opacity: 0.75 },
    })),
  };
  const unbounded = {
    name, type: 'scatter', symbol: 'triangle', symbolSize: 13, tooltip, z: 5, clip: false,
    itemStyle: { color: style.colour },
    data: points.filter((p) => p.y === 'unbounded').map((point) => ({
      value: [point.x, top], point, symbolOffset: [index * 9, 0],
      label: { show: chart.says_unbounded, formatter: 'unbounded', position: 'left', color: colours.muted, fontSize: 11 },
    })),
  };
  return [main, visits(name, points, style, chart, tooltip), unbounded];
}

// The single visits behind a median, where there are several.
function visits(name, points, style, chart, tooltip) {
  const data = points.filter((p) => p.level.steps.length > 1).flatMap((point) => point.level.steps
    .map(({ step }) => ({ step, x: chart.x(step), y: chart.y(step) }))
    .filter(({ x, y }) => x !== undefined && typeof y === 'number' && (!chart.y_log || y > 0))
    .map(({ step, x, y }) => ({ value: [x, y], point, step })));
  return {
    name, type: 'scatter', symbol: style.symbol, symbolSize: 5, tooltip, z: 1,
    itemStyle: { color: style.colour, opacity: 0.45 }, data,
  };
}

function diagonal(all, colours) {
  const high = Math.max(0, ...all.flatMap((one) => one.points).map((p) => p.x));
  return {
    name: 'completed = offered', type: 'line', symbol: 'none', silent: true, data: [[0, 0], [high, high]],
    lineStyle: { color: colours.muted, width: 1, type: [3, 3] }, z: 0,
  };
}

function tip(system, data, chart) {
  const { point } = data;
  const steps = data.step ? [data.step] : point.level.steps.map((s) => s.step);
  const shown = data.step ? chart.y(data.step) : point.y;
  const value = shown === 'unbounded' ? 'unbounded' : `${number(shown)} ${chart.unit}`;
  const title = `${system_name(system)}, ${level_name(point.level)}`;
  if (steps.length === 1) return tooltip_of(title, [[chart.y_name, value], ...step_lines(steps[0])]);
  const labels = steps.map((s) => `block ${s.block}: ${s.label}`);
  return tooltip_of(title, [
    [`${chart.y_name}, median of ${steps.length} visits`, value],
    ['good / failed, all visits', `${sum(steps, 'good')} / ${sum(steps, 'failed')}`],
    ...labels.map((text) => [text]),
  ]);
}

function sum(steps, name) {
  return steps.reduce((total, step) => total + step.requests[name], 0);
}
