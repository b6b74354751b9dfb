import { Metrics } from '@trestle/runtime/metrics'
import { ManualClock } from '@trestle/runtime/test/manual-clock'
import fc from 'fast-check'
import { UsageBook, type UsageRow } from './usage-book.js'
import type { UsageTable } from './usage-sums.js'
import { type UsageBatch, type UsageStore, UsageWriter } from './usage-writer.js'

const NONE = { errors: 0, bytesOut: 0, latency: [] }
const TABLE: Pick<UsageTable, 'columns' | 'none'> = {
  columns: [['calls', 'calls']],
  none: () => ({ calls: 0, errors: 0, bytesOut: 0, latency: [] }),
}
const steps = fc.array(fc.oneof(fc.record({ calls: fc.integer({ min: 1, max: 9 }) }), fc.constantFrom('done', 'refused', 'lost')))

describe(UsageWriter, () => {
  it('writes each call once, however often writes are refused or their answers are lost', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { writer, store } = setUp()
        let counted = 0
        for (const step of all) {
          if (typeof step === 'string') {
            store.outcome = step
            await writer.write().catch(() => undefined)
          } else {
            writer.add('a', [{ ...NONE, method: 'x', ...step }])
            counted += step.calls
          }
        }
        store.outcome = 'done'
        await writer.write()
        expect(store.calls).toBe(counted)
      }),
    )
  })

  it('says why a write failed', async () => {
    const { writer, store } = setUp()
    writer.add('a', [{ ...NONE, method: 'x', calls: 1 }])
    store.outcome = 'refused'
    await expect(writer.write()).rejects.toThrow('refused')
  })

  it('counts towards the current hour', async () => {
    const { writer, store, clock } = setUp()
    writer.add('a', [{ ...NONE, method: 'x', calls: 1 }])
    clock.advance(3_599_999)
    writer.add('a', [{ ...NONE, method: 'x', calls: 2 }])
    clock.advance(1)
    writer.add('a', [{ ...NONE, method: 'x', calls: 4 }])
    await writer.write()
    const hour = Date.parse('2026-11-21T12:00:00Z')
    expect(store.rows).toEqual([
      { ...NONE, of: 'a', hour, method: 'x', calls: 3 },
      { ...NONE, of: 'a', hour: hour + 3_600_000, method: 'x', calls: 4 },
    ])
  })

  it('reports how many rows are not written yet, and how many calls were lost', async () => {
    const { writer, store, metrics } = setUp(2)
    for (const method of ['x', 'y', 'z']) writer.add('a', [{ ...NONE, method, calls: 7 }])
    store.outcome = 'lost'
    await expect(writer.write()).rejects.toThrow('lost')
    writer.add('a', [{ ...NONE, method: 'x', calls: 7 }])
    expect(await metrics.registry.getSingleMetricAsString('usage_waiting_rows')).toContain('usage_waiting_rows 3')
    expect(await metrics.registry.getSingleMetricAsString('usage_lost_calls_total')).toContain('usage_lost_calls_total 7')
  })
})

function setUp(maxRows = 100) {
  const store = new FakeStore()
  const clock = new ManualClock()
  const metrics = new Metrics()
  const book = new UsageBook<string>(TABLE, maxRows)
  return { store, clock, metrics, writer: new UsageWriter(book, store, clock, metrics) }
}

class FakeStore implements UsageStore<string> {
  outcome = 'done'
  readonly rows: UsageRow<string>[] = []
  private readonly written = new Map<string, number>()

  get calls(): number {
    return this.rows.reduce((sum, { calls }) => sum + calls, 0)
  }

  async write({ process, seq, rows }: UsageBatch<UsageRow<string>>): Promise<void> {
    if (this.outcome === 'refused') throw new Error('refused')
    if (seq > (this.written.get(process) ?? 0)) {
      this.written.set(process, seq)
      this.rows.push(...rows)
    }
    if (this.outcome === 'lost') throw new Error('lost')
  }
}
