// What all charts share: one ECharts instance per figure, axes in the page's own colours, and tooltips built from text nodes, so
// that a name out of a spec or a server is never read as markup.
import * as echarts from 'echarts/core';
import { LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { SVGRenderer } from 'echarts/renderers';
import { number } from '../format.js';

echarts.use([LineChart, ScatterChart, GridComponent, LegendComponent, TooltipComponent, SVGRenderer]);

export function mount(figure) {
  const plot = figure.querySelector('.plot');
  const chart = echarts.init(plot, null, { renderer: 'svg' });
  new ResizeObserver(() => chart.resize()).observe(plot);
  return chart;
}

export function is_narrow() {
  return document.documentElement.clientWidth < 600;
}

export function axis(colours, name, extra = {}) {
  return {
    type: 'value',
    name,
    nameLocation: 'middle',
    nameTextStyle: { color: colours.muted, fontSize: 12 },
    axisLine: { show: true, lineStyle: { color: colours.rule } },
    axisTick: { show: true, lineStyle: { color: colours.rule } },
    axisLabel: { color: colours.muted, fontSize: 12, hideOverlap: true },
    splitLine: { lineStyle: { color: colours.grid } },
    ...extra,
  };
}

export function x_axis(colours, name, extra) {
  return axis(colours, name, { nameGap: 28, ...extra });
}

// The y axis carries its name on top: rotated text is slow to read.
export function y_axis(colours, name, extra) {
  return axis(colours, name, {
    nameLocation: 'end', nameGap: 12,
    nameTextStyle: { color: colours.muted, fontSize: 12, align: 'left' },
    ...extra,
  });
}

export function frame(colours, option) {
  return {
    animation: false,
    // Named, not inherited: the width of a legend entry is measured before the text stands in the page.
    textStyle: { fontFamily: getComputedStyle(document.body).fontFamily, color: colours.ink },
    grid: { left: 12, right: 20, top: 66, bottom: 34, containLabel: true },
    legend: {
      type: 'scroll', top: 0, left: 0, itemGap: 22, itemWidth: 34, itemHeight: 10,
      textStyle: { color: colours.ink, fontSize: 13 }, inactiveColor: colours.rule,
      pageIconColor: colours.ink, pageTextStyle: { color: colours.muted },
    },
    tooltip: {
      trigger: 'item', confine: true, backgroundColor: colours.surface, borderColor: colours.rule,
      textStyle: { color: colours.ink, fontSize: 12 }, extraCssText: 'max-width:22rem;white-space:normal',
    },
    ...option,
  };
}

// lines: [[label, value], ...]; a pair without a value is a sentence of its own.
export function tooltip_of(title, lines) {
  const box = document.createElement('div');
  const head = box.appendChild(document.createElement('strong'));
  head.textContent = title;
  const table = box.appendChild(document.createElement('table'));
  table.className = 'tip';
  for (const [label, value] of lines) {
    const row = table.insertRow();
    const name = row.insertCell();
    name.textContent = label;
    if (value === undefined) name.colSpan = 2;
    else row.insertCell().textContent = value;
  }
  return box;
}

// What a step did, for the tooltip of any of its points.
export function step_lines(step) {
  const requests = step.requests;
  const lines = [
    ['rate asked', step.planned_rate === undefined ? '–' : `${number(step.planned_rate)} req/s`],
    ['rate sent', step.sent_rate === undefined ? '–' : `${number(step.sent_rate)} req/s`],
    ['rate completed', step.completed_rate === undefined ? '–' : `${number(step.completed_rate)} req/s`],
    ['requests planned / sent', `${requests.planned} / ${requests.sent}`],
    ['good / failed', `${requests.good} / ${requests.failed}`],
    ['block, window', `${step.block}, ${number(step.window_s)} s`],
    ['label', step.label],
  ];
  return lines.concat(step.reasons.map((reason) => [reason]));
}
