// Cumulative distribution of one metric at one level: a curve per visit, over good requests only.
import { number, system_name } from '../format.js';
import { levels_of } from '../levels.js';
import { look } from '../theme.js';
import { frame, tooltip_of, x_axis, y_axis } from './base.js';

export function cdf_option(run, details, colours, { level_key, metric, metric_name, log }) {
  const series = [];
  run.systems.forEach((system, index) => {
    const level = levels_of(system).find((one) => one.key === level_key);
    const style = look(index, colours);
    (level ? level.steps : []).forEach(({ step, index: at }) => {
      const values = details[index][at].cdf[metric] ?? [];
      const last = Math.max(1, values.length - 1);
      series.push({
        name: system_name(system), type: 'line', symbol: style.symbol, showSymbol: false, symbolSize: 8,
        lineStyle: { color: style.colour, width: 2, type: style.dash }, itemStyle: { color: style.colour },
        data: values.map((v, i) => [v, (100 * i) / last]).filter(([v]) => !log || v > 0),
        tooltip: { formatter: ({ value }) => tooltip_of(`${system_name(system)}, block ${step.block}`,
          [[`${number(value[1])} % of good requests within`, `${number(value[0])} ms`]]) },
      });
    });
  });
  return frame(colours, {
    xAxis: x_axis(colours, `${metric_name} (ms)`, { type: log ? 'log' : 'value', min: log ? undefined : 0 }),
    yAxis: y_axis(colours, '% of good requests at or below', { min: 0, max: 100 }),
    series,
  });
}
