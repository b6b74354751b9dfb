import fc from 'fast-check'
import type { Workload } from '../workloads/workload.js'
import { nextReconcileAt, type ReconciledMachine } from './reconciliation.js'

const NOW = new Date('2026-11-22T12:00:00.123Z')
const STEADY_MS = 30_000

const workload = (more: Partial<Workload> = {}) =>
  ({ desiredState: 'started', expiresAt: new Date(NOW.getTime() + 3_600_000), ...more }) as Workload
const look = (phase: string) => ({ status: { phase } }) as ReconciledMachine

describe(nextReconcileAt, () => {
  it('makes steady workloads due in sixty batches per interval', () => {
    const turns = new Set<number>()
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (spread) => {
        const at = nextReconcileAt(workload(), [look('ready')], 0, { now: NOW, steadyMs: STEADY_MS, spread }).getTime()
        expect(at - NOW.getTime()).toBeGreaterThanOrEqual(STEADY_MS * 0.75)
        expect(at - NOW.getTime()).toBeLessThanOrEqual(STEADY_MS * 1.25 + STEADY_MS / 60)
        turns.add(at)
      }),
    )
    expect([...turns].filter((at) => at % (STEADY_MS / 60) !== 0)).toEqual([])
  })

  it.each([
    ['starting', 250],
    ['syncing', 2_000],
  ])('looks soon at what is %s', (phase, ms) => {
    const at = nextReconcileAt(workload(), [look('ready'), look(phase)], 0, { now: NOW, steadyMs: STEADY_MS, spread: 0.5 })
    expect(at.getTime() - NOW.getTime()).toBe(ms)
  })

  it('backs off while a workload fails, and is due when it expires', () => {
    const inMs = (attempts: number) =>
      nextReconcileAt(workload(), [look('starting')], attempts, { now: NOW, steadyMs: STEADY_MS, spread: 1 })
    expect([1, 2, 3, 30].map((attempts) => inMs(attempts).getTime() - NOW.getTime())).toEqual([1_000, 2_000, 4_000, 300_000])
    const ending = workload({ expiresAt: new Date(NOW.getTime() + 10) })
    expect(nextReconcileAt(ending, [look('ready')], 0, { now: NOW, steadyMs: STEADY_MS, spread: 1 })).toEqual(ending.expiresAt)
  })
})
