import type { SyncStatus } from '@trestle/contracts/btc-connect/status'

/** The progress of the index, for people to read. */
export function statusText(name: string, status: SyncStatus): string {
  const { phase, blockChainHeight, height, syncPercentage, blocksLeft, blocksPerSecond, secondsLeft, error, note } = status
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['deployment', name],
    ['status', `${status.status}, ${syncPercentage} %`],
    ['phase', PHASES[phase]],
    ['served', phase === 'tip' ? `up to block ${height}` : 'nothing yet'],
    ['node', `at block ${blockChainHeight}`],
    ['to read', `${blocksLeft} blocks`],
    ['rate', blocksPerSecond === null ? undefined : `${blocksPerSecond.toPrecision(3)} blocks a second`],
    ['time left', secondsLeft === null ? undefined : durationText(secondsLeft)],
    ['error', error ?? undefined],
    ['note', note ?? undefined],
  ]
  return lines.map(([label, value]) => (value === undefined ? '' : `${label.padEnd(11)}${value}\n`)).join('')
}

const PHASES = {
  load: 'load (reads blocks in bulk)',
  merge: 'merge (sorts what was loaded and builds indexes)',
  tip: 'tip (follows the node block by block)',
} as const

function durationText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (minutes <= 1) return `${seconds} s`
  if (minutes < 120) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
