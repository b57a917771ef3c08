import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compact, level_name, number, system_name } from '../src/format.js';
import { is_held, is_usable, levels_of, median, percentile } from '../src/levels.js';

const step = (kind, rate, extra = {}) => ({ kind, planned_rate: rate, label: 'STEADY', ...extra });

test('steps of one level in several blocks are one level with several visits', () => {
  const system = { steps: [step('ladder', 4), step('ladder', 1), step('ladder', 4.0000000001), step('replay', 4)] };
  const levels = levels_of(system, 'ladder');
  assert.deepEqual(levels.map((l) => [l.value, l.steps.map((s) => s.index)]), [[1, [1]], [4, [0, 2]]]);
  assert.equal(levels_of(system).length, 3);
});

test('a step without a planned rate stands at the rate it was sent at, one without either nowhere', () => {
  const system = { steps: [{ kind: 'replay', sent_rate: 2.5 }, { kind: 'replay' }] };
  assert.deepEqual(levels_of(system).map((l) => l.value), [2.5]);
});

test('a median over an unbounded visit is unbounded as soon as it depends on it', () => {
  assert.equal(median([1, 3]), 2);
  assert.equal(median([1, 'unbounded', 3]), 3);
  assert.equal(median([1, 'unbounded']), 'unbounded');
  assert.equal(median([undefined, null, 7]), 7);
  assert.equal(median([undefined]), undefined);
});

test('percentiles are taken from the view that was asked for', () => {
  const one = { ttft_ms: { p99: 80, with_failures: { p99: 'unbounded' } }, tpot_ms: { p99: null } };
  assert.equal(percentile(one, 'ttft_ms', 'p99', false), 80);
  assert.equal(percentile(one, 'ttft_ms', 'p99', true), 'unbounded');
  assert.equal(percentile(one, 'tpot_ms', 'p99', true), undefined);
});

test('only steady and suspect steps are held, and steps of a limited client are not used', () => {
  assert.deepEqual(['STEADY', 'SUSPECT', 'SATURATED'].map((label) => is_held({ label })), [true, true, false]);
  assert.deepEqual(['SATURATED', 'INVALID_CLIENT', 'FAILED'].map((label) => is_usable({ label })), [true, false, false]);
});

test('numbers print as in the tables, and what is absent is a dash', () => {
  assert.deepEqual([0.123, 9.876, 57.66, 812.4, 57653.44].map(number), ['0.12', '9.88', '57.7', '812', '57,653']);
  assert.equal(number(undefined), '–');
  assert.equal(number('unbounded'), 'unbounded');
  assert.deepEqual([4, 0.5, 4 / 3].map(compact), ['4', '0.5', '1.333']);
  assert.equal(level_name({ kind: 'closed', value: 64 }), '64 in flight (closed loop)');
  assert.equal(level_name({ kind: 'replay', value: 2 }), 'replay 2 req/s');
  assert.equal(system_name({ name: 'a', simulated: true }), 'a (simulated)');
});
