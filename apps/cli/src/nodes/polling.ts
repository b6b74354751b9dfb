import type { CommandRun } from '../command/command.js'
import { EXIT, Failure } from '../failure/failure.js'
import { blockingReason, detailOf, newLines, type ResourceStatus } from './resource-views.js'

const POLL_INTERVAL_MS = 1000
const MAX_LINES = '1000'

/** Waits until it can be called, and shows how far it is. */
export async function untilReady({ terminal, pause }: CommandRun, title: string, look: () => Promise<ResourceStatus>): Promise<void> {
  const progress = terminal.startProgress(title)
  for (;;) {
    const status = await look()
    progress.update(detailOf(status), status.progress)
    if (status.phase === 'ready') break
    if (status.phase === 'failed')
      throw new Failure(
        EXIT.unexpected,
        `${title}: failed. ${blockingReason(status.conditions)}`,
        'The platform keeps retrying until the node is removed.',
      )
    if (status.state !== 'started') throw new Failure(EXIT.conflict, `${title}: it was ${status.state} by somebody else.`)
    await pause(POLL_INTERVAL_MS)
  }
  terminal.endProgress()
}

/** How it is, whenever that changes. */
export async function* changesOf<S extends ResourceStatus>({ pause }: CommandRun, look: () => Promise<S>): AsyncGenerator<S> {
  let told = ''
  for (;;) {
    const status = await look()
    const { state, phase, height, lag, conditions } = status
    const seen = JSON.stringify([state, phase, height, lag, conditions.map((each) => [each.type, each.status, each.reason])])
    if (seen !== told) yield status
    told = seen
    await pause(POLL_INTERVAL_MS)
  }
}

/** Its lines, and those that come. One that was stopped meanwhile says nothing, which is no failure. */
export async function* linesOf(
  { pause }: CommandRun,
  first: string,
  look: (lines: string) => Promise<{ lines: string[] }>,
): AsyncGenerator<string> {
  let told = (await look(first)).lines
  yield* told
  for (;;) {
    await pause(POLL_INTERVAL_MS)
    const { lines } = await look(MAX_LINES)
    yield* newLines(told, lines)
    if (lines.length > 0) told = lines
  }
}
