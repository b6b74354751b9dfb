import type { Validator, ValidatorPhase } from '@trestle/contracts/staking/validators'

export const STEPS = ['created', 'ready', 'deposited', 'queued', 'active', 'exiting', 'exited', 'withdrawn'] as const
export type LifecycleStepName = (typeof STEPS)[number]

export interface LifecycleStep {
  readonly name: LifecycleStepName
  readonly state: 'done' | 'now' | 'ahead'
  readonly at?: string
}

/** What each phase waits for, or is. */
const CURRENT_STEP: Readonly<Record<ValidatorPhase, LifecycleStepName | undefined>> = {
  created: 'ready',
  ready: 'deposited',
  deposited: 'queued',
  queued: 'queued',
  active: 'active',
  exiting: 'exiting',
  exited: 'exited',
  withdrawn: undefined,
  spoiled: 'deposited',
}

type Life = Pick<
  Validator,
  'phase' | 'startedAt' | 'readyAt' | 'depositedAt' | 'activatedAt' | 'exitRequestedAt' | 'exitingAt' | 'exitedAt'
> &
  Pick<Validator, 'withdrawnAt'>

/** A validator's way, from its key to the last payment. */
export function stepsOf(life: Life): LifecycleStep[] {
  const underWay = CURRENT_STEP[life.phase]
  const now = underWay ? STEPS.indexOf(underWay) : STEPS.length
  return STEPS.map((name, index) => ({
    name,
    state: index < now ? 'done' : index === now ? 'now' : 'ahead',
    at: timesOf(life)[name] ?? undefined,
  }))
}

/** Whether something changes by itself before long. */
export function isChanging({ phase, status }: Pick<Validator, 'phase' | 'status'>): boolean {
  return !['active', 'withdrawn', 'spoiled'].includes(phase) || status === 'exiting'
}

/** Has been paid for, and not been paid out. */
export function isAtStake({ depositedAt, withdrawnAt }: Pick<Validator, 'depositedAt' | 'withdrawnAt'>): boolean {
  return depositedAt !== null && withdrawnAt === null
}

/** The chain takes an exit of a validator once, and only of one that it knows. */
export function canExit({ phase, exitRequestedAt }: Pick<Validator, 'phase' | 'exitRequestedAt'>): boolean {
  return exitRequestedAt === null && ['deposited', 'queued', 'active'].includes(phase)
}

function timesOf(life: Life): Readonly<Record<LifecycleStepName, string | null>> {
  return {
    created: life.startedAt,
    ready: life.readyAt,
    deposited: life.depositedAt,
    // Nobody tells when the chain took the deposit in.
    queued: null,
    active: life.activatedAt,
    exiting: life.exitingAt ?? life.exitRequestedAt,
    exited: life.exitedAt,
    withdrawn: life.withdrawnAt,
  }
}
