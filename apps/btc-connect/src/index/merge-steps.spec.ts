import { DEFERRED_INDEXES, MERGE_STAGES, MERGE_STEP_COUNT } from './merge-steps.js'
import { PARTS } from './staged-rows.js'

describe('MERGE_STAGES', () => {
  const steps = MERGE_STAGES.flat()

  it('numbers every step once', () => {
    expect(new Set(steps.map(({ number }) => number)).size).toBe(steps.length)
    expect(MERGE_STEP_COUNT).toBe(2 * PARTS + DEFERRED_INDEXES.length + 1)
  })

  it('joins before it aggregates, and aggregates before it builds the indexes of the aggregates', () => {
    const stageOf = (kind: string) => MERGE_STAGES.findIndex((stage) => stage.some((step) => step.kind === kind))
    const stageOfIndex = (index: string) => MERGE_STAGES.findIndex((stage) => stage.some((step) => 'index' in step && step.index === index))
    expect(stageOf('join')).toBeLessThan(stageOf('aggregate'))
    expect(stageOf('join')).toBeLessThan(stageOf('keep-undo'))
    for (const index of ['txo_pkey', 'txo_unspent']) expect(stageOfIndex(index)).toBeGreaterThan(stageOf('join'))
    for (const index of ['script_pkey', 'script_tx_pkey']) expect(stageOfIndex(index)).toBeGreaterThan(stageOf('aggregate'))
  })

  it('builds one index of a table at a time, so that no step waits for a lock', () => {
    for (const stage of MERGE_STAGES) {
      const tables = stage.flatMap((step) => (step.kind === 'index' ? [step.index.replace(/_(pkey|txid|unspent)$/, '')] : []))
      expect(new Set(tables).size).toBe(tables.length)
    }
  })
})
