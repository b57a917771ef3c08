// One step second by second: requests in flight, requests sent and completed, output tokens, and what the engine said of itself
// where it was asked.
import { is_narrow, frame, y_axis, x_axis, tooltip_of } from './base.js';
import { number } from '../format.js';

const PANELS = [
  { name: 'requests in flight', lines: [['in_flight', 'in flight'], ['running', 'running in the engine'], ['waiting', 'waiting in the engine']] },
  { name: 'requests per second', lines: [['sent_per_s', 'sent'], ['completed_per_s', 'completed']] },
  { name: 'output tokens per second', lines: [['tokens_per_s', 'output tokens']] },
  { name: 'share of the KV cache in use', lines: [['kv_cache_usage', 'KV cache']] },
];

// Only lines that were seen, and panels that have one; the client's own stay, however empty.
export function panels_of(series) {
  return PANELS.map((panel, i) => ({
    ...panel, lines: panel.lines.filter(([key], j) => (series[key] ?? []).length > 0 || (j === 0 && i < 3 && key in series)),
  })).filter((panel) => panel.lines.length > 0);
}

// Each value holds for its whole bin, the last one too.
function steps_of(values, width) {
  return [...values, ...values.slice(-1)].map((value, i) => [i * width, value]);
}

export function time_line_option(series, colours) {
  const width = series.bin_s;
  const panels = panels_of(series);
  const end = width * Math.max(...panels.flatMap((panel) => panel.lines.map(([key]) => series[key].length)));
  const height = panels.length > 3 ? 72 : is_narrow() ? 120 : 110;
  const grids = panels.map((_, i) => ({ left: 12, right: 20, top: 62 + i * (height + 52), height, containLabel: true }));
  const lines = panels.flatMap((panel, i) => panel.lines.map(([key, name], j) => ({
    name, type: 'line', xAxisIndex: i, yAxisIndex: i, showSymbol: false, step: 'end',
    lineStyle: { width: 1.5, color: colours.systems[j], type: ['solid', [5, 3], [2, 2]][j] },
    itemStyle: { color: colours.systems[j] },
    data: steps_of(series[key], width),
  })));
  return frame(colours, {
    grid: grids,
    tooltip: {
      ...frame(colours, {}).tooltip, trigger: 'axis',
      formatter: (points) => tooltip_of(`${number(points[0].axisValue)} s after the step's begin`,
        points.filter((p) => p.value[1] !== null).map((p) => [p.seriesName, number(p.value[1])])),
    },
    axisPointer: { link: [{ xAxisIndex: 'all' }], lineStyle: { color: colours.muted } },
    xAxis: panels.map((_, i) => x_axis(colours, i === panels.length - 1 ? "seconds after the step's begin" : '', {
      gridIndex: i, min: 0, max: end, splitLine: { show: false },
    })),
    yAxis: panels.map((panel, i) => y_axis(colours, panel.name, { gridIndex: i, min: 0, splitNumber: 3 })),
    series: lines,
  });
}
