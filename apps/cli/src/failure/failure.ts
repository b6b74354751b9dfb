/** How a run ended, for scripts. */
export const EXIT = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  unauthenticated: 3,
  forbidden: 4,
  unknown: 5,
  conflict: 6,
  unreachable: 7,
  interrupted: 130,
} as const
export type Exit = (typeof EXIT)[keyof typeof EXIT]

/** Each code with its meaning, as the help tells it. */
export const EXIT_MEANINGS: readonly (readonly [Exit, string])[] = [
  [EXIT.ok, 'done'],
  [EXIT.unexpected, 'any other failure, or what was checked is unhealthy'],
  [EXIT.usage, 'wrong usage: an invalid option, argument or value'],
  [EXIT.unauthenticated, 'not logged in, or no longer'],
  [EXIT.forbidden, 'not allowed'],
  [EXIT.unknown, 'not found'],
  [EXIT.conflict, 'a conflict with the current state, or over a limit'],
  [EXIT.unreachable, 'unreachable, or no response in time'],
  [EXIT.interrupted, 'interrupted'],
]

/** A failure of the program itself, with advice. */
export class Failure extends Error {
  override readonly name = 'Failure'

  constructor(
    readonly exit: Exit,
    message: string,
    readonly advice?: string,
  ) {
    super(message)
  }
}

/** Ctrl-C, or another signal to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'

  constructor(readonly exit: number = EXIT.interrupted) {
    super('Interrupted.')
  }
}
