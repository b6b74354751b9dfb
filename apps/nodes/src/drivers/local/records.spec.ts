import fc from 'fast-check'
import { crashesOf, crashReport, fingerprintOf, nextStartAt, type ProcessRecord, wasEndedOnPurpose } from './records.js'

const BOOT = 'this boot'
const MINUTE = 60_000

describe(fingerprintOf, () => {
  it('changes with every part', () => {
    const parts = { serviceId: 's', software: 'a-1', args: ['-x'], config: 'c' }
    const others = [{ serviceId: 't' }, { software: 'a-2' }, { args: ['-x', '-y'] }, { config: 'd' }, { config: undefined }]
    expect(new Set([parts, ...others.map((other) => ({ ...parts, ...other }))].map(fingerprintOf)).size).toBe(6)
    expect(fingerprintOf({ ...parts })).toBe(fingerprintOf(parts))
  })
})

describe(wasEndedOnPurpose, () => {
  it('is true after SIGTERM or a reboot', () => {
    expect(wasEndedOnPurpose(record(), BOOT)).toBe(false)
    expect(wasEndedOnPurpose(record({ endingAt: 5 }), BOOT)).toBe(true)
    expect(wasEndedOnPurpose(record(), 'the next boot')).toBe(true)
  })
})

describe(crashesOf, () => {
  it('counts this crash and those of the last ten minutes', () => {
    const now = 20 * MINUTE
    expect(crashesOf(record({ accidents: [1, 15 * MINUTE] }), BOOT, now)).toEqual([15 * MINUTE, now])
    expect(crashesOf(record({ accidents: [15 * MINUTE], endingAt: 1 }), BOOT, now)).toEqual([15 * MINUTE])
    expect(crashesOf(undefined, BOOT, now)).toEqual([])
  })
})

describe(nextStartAt, () => {
  it('is immediate after the first crashes, then backs off to at most a minute', () => {
    const after = [0, 1, 2, 3, 4, 9].map((count) => nextStartAt(record({ accidents: Array(count).fill(MINUTE), startedAt: MINUTE }), BOOT))
    expect(after).toEqual([0, 0, 0, MINUTE + 2_000, MINUTE + 4_000, 2 * MINUTE])
  })

  it('does not delay a program that was stopped', () => {
    expect(nextStartAt(record({ accidents: Array(9).fill(0), endingAt: 1 }), BOOT)).toBe(0)
  })

  it('is never more than a minute after the last start', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat()),
        fc.nat(),
        (accidents, startedAt) => nextStartAt(record({ accidents, startedAt }), BOOT) <= startedAt + MINUTE,
      ),
    )
  })
})

describe(crashReport, () => {
  it('reports the last crash, and how many there were', () => {
    const words = { now: 10, isRunning: false, lastLine: 'Error: no space' }
    expect(crashReport('litecoind', [1], words)).toBe('litecoind exited unexpectedly. Its last output: Error: no space')
    expect(crashReport('litecoind', [1, 2], { now: 10, isRunning: false })).toBe(
      'litecoind exited unexpectedly 2 times within ten minutes.',
    )
    expect(crashReport('litecoind', [], words)).toBeUndefined()
  })

  it('reports a running node only if it keeps crashing', () => {
    expect(crashReport('anvil', [1, 2], { now: 10, isRunning: true })).toBeUndefined()
    expect(crashReport('anvil', [1, 2, 3], { now: 10, isRunning: true })).toBe('anvil exited unexpectedly 3 times within ten minutes.')
  })
})

function record(more: Partial<ProcessRecord> = {}): ProcessRecord {
  const identity = { pid: 7, startTime: '1', bootId: BOOT }
  return { identity, bootId: BOOT, fingerprint: '', startedAt: 0, accidents: [], release: 'anvil-1.7.1', ...more }
}
