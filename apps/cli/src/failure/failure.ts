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
  [EXIT.unexpected, 'something else went wrong, or what was asked about is not well'],
  [EXIT.usage, 'wrong usage: an option, an argument or a value that is refused'],
  [EXIT.unauthenticated, 'not logged in, or no longer'],
  [EXIT.forbidden, 'not allowed'],
  [EXIT.unknown, 'not found'],
  [EXIT.conflict, 'in conflict with what there is, or over a limit'],
  [EXIT.unreachable, 'unreachable, or no answer in time'],
  [EXIT.interrupted, 'interrupted'],
]

/** What went wrong on this side, and what to do about it. */
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

/** Somebody pressed Ctrl-C, or a signal told to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'

  constructor(readonly exit: number = EXIT.interrupted) {
    super('Interrupted.')
  }
}
