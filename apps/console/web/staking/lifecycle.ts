import type { Validator, ValidatorPhase } from '@trestle/contracts/staking/validators'

const STEPS = ['created', 'ready', 'deposited', 'queued', 'active', 'exiting', 'exited', 'withdrawn'] as const
export type LifecycleStepName = (typeof STEPS)[number]

export interface LifecycleStep {
  readonly name: LifecycleStepName
  readonly state: 'done' | 'now' | 'ahead'
  readonly at?: string
}

interface PhaseTraits {
  /** The step it is in or waits for; none once all are done. */
  readonly step?: LifecycleStepName
  /** Whether it is left without anybody's doing. */
  readonly isTransitional: boolean
  readonly canExit: boolean
  /** Whether it proposes blocks, now or later. */
  readonly proposes: boolean
}

const PHASES: Readonly<Record<ValidatorPhase, PhaseTraits>> = {
  created: { step: 'ready', isTransitional: true, canExit: false, proposes: true },
  ready: { step: 'deposited', isTransitional: true, canExit: false, proposes: true },
  deposited: { step: 'queued', isTransitional: true, canExit: true, proposes: true },
  queued: { step: 'queued', isTransitional: true, canExit: true, proposes: true },
  active: { step: 'active', isTransitional: false, canExit: true, proposes: true },
  exiting: { step: 'exiting', isTransitional: true, canExit: false, proposes: true },
  exited: { step: 'exited', isTransitional: true, canExit: false, proposes: false },
  withdrawn: { isTransitional: false, canExit: false, proposes: false },
  spoiled: { step: 'deposited', isTransitional: false, canExit: false, proposes: false },
}

type Life = Pick<
  Validator,
  'phase' | 'startedAt' | 'readyAt' | 'depositedAt' | 'activatedAt' | 'exitRequestedAt' | 'exitingAt' | 'exitedAt'
> &
  Pick<Validator, 'withdrawnAt'>

/** A validator's life, from its key to the last payment. */
export function stepsOf(life: Life): LifecycleStep[] {
  const { step } = PHASES[life.phase]
  const now = step ? STEPS.indexOf(step) : STEPS.length
  return STEPS.map((name, index) => ({
    name,
    state: index < now ? 'done' : index === now ? 'now' : 'ahead',
    at: timesOf(life)[name] ?? undefined,
  }))
}

/** Whether something is about to change without anybody's doing. */
export function isChanging({ phase, status }: Pick<Validator, 'phase' | 'status'>): boolean {
  return PHASES[phase].isTransitional || status === 'exiting'
}

/** Has been paid for, and not been paid out. */
export function isAtStake({ depositedAt, withdrawnAt }: Pick<Validator, 'depositedAt' | 'withdrawnAt'>): boolean {
  return depositedAt !== null && withdrawnAt === null
}

/** The chain takes an exit of a validator once, and only of one that it knows. */
export function canExit({ phase, exitRequestedAt }: Pick<Validator, 'phase' | 'exitRequestedAt'>): boolean {
  return exitRequestedAt === null && PHASES[phase].canExit
}

/** Fees go to a validator that proposes blocks. */
export function earnsFees({ phase }: Pick<Validator, 'phase'>): boolean {
  return PHASES[phase].proposes
}

function timesOf(life: Life): Readonly<Record<LifecycleStepName, string | null>> {
  return {
    created: life.startedAt,
    ready: life.readyAt,
    deposited: life.depositedAt,
    // The chain does not report when it accepted the deposit.
    queued: null,
    active: life.activatedAt,
    exiting: life.exitingAt ?? life.exitRequestedAt,
    exited: life.exitedAt,
    withdrawn: life.withdrawnAt,
  }
}
