import fc from 'fast-check'
import type { FailureSample } from './failed-call.js'
import { FailureBook, USUAL_BOUNDS } from './failure-book.engine.js'

const HOUR = 3_600_000
const BOUNDS = { counts: 30, samples: 12, codes: 3, perProject: 4, perKind: 2, countsAtOnce: 10, samplesAtOnce: 5 }
const CALL = { project: 1, hour: 0, method: 'eth_call', code: 3 }

describe(FailureBook, () => {
  it('adds up the failures of a project by hour, method and code', () => {
    const book = new FailureBook()
    for (const change of [{}, {}, { code: -32000 }, { method: 'eth_getLogs' }, { hour: HOUR }, { project: 2 }])
      book.count({ ...CALL, ...change })
    expect(book.take().counts.map(({ failures }) => failures)).toEqual([2, 1, 1, 1, 1])
    expect(book.isEmpty).toBe(true)
  })

  it('admits a few samples of the same a moment, and some of a project', () => {
    const book = new FailureBook(BOUNDS)
    const admitted = ['a', 'a', 'a', 'b', 'c', 'd'].map((method) => book.admitsSample(1, method, 3))
    expect(admitted).toEqual([true, true, false, true, true, false])
    expect(book.admitsSample(2, 'a', 3)).toBe(true)
    book.beginMoment()
    expect(book.admitsSample(1, 'a', 3)).toBe(true)
    expect(book.lostSamples).toBe(0)
  })

  it('counts what finds no room while nothing can be written', () => {
    const book = new FailureBook(BOUNDS)
    for (let project = 0; project < 100; project++) {
      book.count({ ...CALL, project })
      if (book.admitsSample(project, 'eth_call', 3)) book.addSample(sample(project))
    }
    expect([book.lostCounts, book.lostSamples]).toEqual([70, 88])
  })

  it('costs no more than its bounds, whatever flood there is, and loses no count unsaid', () => {
    const failure = fc.record({
      project: fc.nat(20),
      hour: fc.constantFrom(0, HOUR),
      method: fc.constantFrom('eth_call', 'eth_getLogs', 'unknown'),
      code: fc.integer({ min: -20, max: 20 }),
    })
    const step = fc.oneof({ weight: 20, arbitrary: failure }, fc.constantFrom('moment' as const, 'write' as const))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const book = new FailureBook(BOUNDS)
        let [given, taken] = [0, 0]
        let waiting = 0
        const take = () => {
          const { counts, samples } = book.take()
          expect(counts.length).toBeLessThanOrEqual(BOUNDS.countsAtOnce)
          expect(samples.length).toBeLessThanOrEqual(BOUNDS.samplesAtOnce)
          taken += counts.reduce((sum, { failures }) => sum + failures, 0)
          waiting -= samples.length
        }
        for (const each of steps) {
          if (each === 'moment') book.beginMoment()
          else if (each === 'write') take()
          else {
            given++
            const code = book.count(each)
            if (!book.admitsSample(each.project, each.method, code)) continue
            book.addSample(sample(each.project))
            waiting++
          }
          expect(waiting).toBeLessThanOrEqual(BOUNDS.samples)
        }
        while (!book.isEmpty) take()
        expect(taken + book.lostCounts).toBe(given)
        expect(waiting).toBe(0)
      }),
    )
  })

  it('counts a project by so many codes a moment, and all others together', () => {
    const book = new FailureBook()
    for (let code = 1; code <= 1000; code++) book.count({ ...CALL, code })
    const { counts } = book.take()
    expect(counts).toHaveLength(USUAL_BOUNDS.codes + 1)
    expect(counts.at(-1)).toEqual({ ...CALL, code: 0, failures: 1000 - USUAL_BOUNDS.codes })
  })

  it('takes a flood of equal failures in its stride', () => {
    const book = new FailureBook()
    for (let i = 0; i < 100_000; i++) {
      const code = book.count(CALL)
      if (book.admitsSample(CALL.project, CALL.method, code)) book.addSample(sample(1))
    }
    const { counts, samples } = book.take()
    expect(counts).toEqual([{ ...CALL, failures: 100_000 }])
    expect(samples).toHaveLength(USUAL_BOUNDS.perKind)
  })
})

function sample(project: number): FailureSample {
  const detail = { ms: 1, request: {}, error: { message: '' } }
  return { project, id: '', time: new Date(0), requestId: '', method: 'eth_call', code: 3, detail }
}
