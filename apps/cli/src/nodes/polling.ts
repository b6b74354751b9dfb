import type { CommandRun } from '../command/command.js'
import { EXIT, Failure } from '../failure/failure.js'
import { blockingReason, detailOf, newLines, type ResourceStatus } from './resource-views.js'

const POLL_INTERVAL_MS = 1000
const MAX_LINES = '1000'

/** Waits until it is ready, and shows its progress. */
export async function untilReady({ terminal, pause }: CommandRun, title: string, read: () => Promise<ResourceStatus>): Promise<void> {
  const progress = terminal.startProgress(title)
  for (;;) {
    const status = await read()
    progress.update(detailOf(status), status.progress)
    if (status.phase === 'ready') break
    if (status.phase === 'failed')
      throw new Failure(
        EXIT.unexpected,
        `${title}: failed. ${blockingReason(status.conditions)}`,
        'The platform keeps retrying until it is removed.',
      )
    if (status.state !== 'started') throw new Failure(EXIT.conflict, `${title}: it was ${status.state} by somebody else.`)
    await pause(POLL_INTERVAL_MS)
  }
  terminal.endProgress()
}

/** Its status, at first and after each change. */
export async function* changesOf({ pause }: CommandRun, read: () => Promise<ResourceStatus>): AsyncGenerator<ResourceStatus> {
  let last = ''
  for (;;) {
    const status = await read()
    const { state, phase, height, lag, conditions } = status
    const current = JSON.stringify([state, phase, height, lag, conditions.map((each) => [each.type, each.status, each.reason])])
    if (current !== last) yield status
    last = current
    await pause(POLL_INTERVAL_MS)
  }
}

/** Its last lines, then new ones. A stopped one has none, which is no failure. */
export async function* linesOf(
  { pause }: CommandRun,
  count: string,
  read: (lines: string) => Promise<{ lines: string[] }>,
): AsyncGenerator<string> {
  let { lines: printed } = await read(count)
  yield* printed
  for (;;) {
    await pause(POLL_INTERVAL_MS)
    const { lines } = await read(MAX_LINES)
    yield* newLines(printed, lines)
    if (lines.length > 0) printed = lines
  }
}
