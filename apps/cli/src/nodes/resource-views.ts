import type { Condition, DesiredState, NodeObservation, NodePhase } from '@trestle/contracts/nodes/shapes'
import { bytesText } from '../output/amount.js'
import { clock } from '../output/duration.js'
import { type Cell, type Sheet, stateCell, type Table } from '../output/view.js'

// Output that nodes and clusters have in common.

export interface ResourceStatus extends NodeObservation {
  readonly state: DesiredState
  readonly phase: NodePhase
  readonly conditions: readonly Condition[]
  readonly asOf: string | null
  /** Of a cluster. */
  readonly members?: readonly Member[]
}

interface Member {
  readonly id: string
  readonly software: string
  readonly phase: NodePhase
  readonly height: number | null
}

/** Why it is not ready yet, in a sentence; empty if it is. */
export function blockingReason(conditions: readonly Condition[]): string {
  return (
    conditions.find(({ status }) => status === 'false')?.message ?? conditions.find(({ status }) => status === 'unknown')?.message ?? ''
  )
}

/** Its phase, and the progress of its chain. */
export function detailOf({ phase, height, lag, conditions }: Pick<ResourceStatus, 'phase' | 'height' | 'lag' | 'conditions'>): string {
  const chain = height === null ? '' : `block ${height}${lag ? `, ${lag} behind` : ''}`
  return [phase, chain, blockingReason(conditions)].filter(Boolean).join('  ')
}

export function statusSheet(status: ResourceStatus): Sheet {
  const { phase, state, height, lag, progress, peers, diskBytes, asOf } = status
  return {
    fields: [
      ['phase', stateCell(phase)],
      ['desired', state],
      ['height', height],
      ['lag', lag === null ? undefined : `${lag} blocks`],
      ['chain', progress === null ? undefined : `${(progress * 100).toFixed(1)} %`],
      ['peers', peers],
      ['disk', diskBytes === null ? undefined : bytesText(diskBytes)],
      ['as of', asOf ? clock(asOf) : undefined],
    ],
  }
}

export function conditionTable(conditions: readonly Condition[]): Table {
  const cellOf = (status: Condition['status']): Cell => ({
    text: status,
    tone: status === 'true' ? 'good' : status === 'false' ? 'bad' : 'wait',
  })
  return {
    head: ['CONDITION', '', 'WHY', 'SINCE (UTC)'],
    rows: conditions.map(({ type, status, reason, message, since }) => [type, cellOf(status), message || reason, clock(since)]),
  }
}

interface Auth {
  readonly type: string
  readonly user?: string
  readonly pass?: string
}

/** Its credentials; the password only on request. */
export function accessFields({ type, user, pass }: Auth, isRevealed: boolean): Sheet['fields'] {
  const WORDS: Readonly<Record<string, string>> = { jwt: 'your token: trestle token', none: 'nothing' }
  if (type !== 'basic') return [['auth', WORDS[type] ?? type]]
  return [
    ['user', user],
    ['password', isRevealed ? pass : 'hidden: --reveal shows it'],
  ]
}

/** The lines that follow those already printed, where both are the end of one log. */
export function newLines(printed: readonly string[], lines: readonly string[]): string[] {
  for (let overlap = Math.min(printed.length, lines.length); overlap > 0; overlap--)
    if (lines.slice(0, overlap).every((line, index) => line === printed[printed.length - overlap + index])) return lines.slice(overlap)
  return [...lines]
}
