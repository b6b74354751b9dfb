import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { EXIT, Failure, Interrupted } from '../failure/failure.js'
import type { TerminalStreams } from './streams.js'

interface PromptQuestion {
  readonly question: string
  /** Nothing of the answer is shown. */
  readonly isSecret: boolean
  readonly signal: AbortSignal
}

/** Asks on the error output, for the standard output is for data. */
export function prompt(
  { stdin, stderr }: Pick<TerminalStreams, 'stdin' | 'stderr'>,
  { question, isSecret, signal }: PromptQuestion,
): Promise<string> {
  const silent = new Writable({ write: (_piece, _encoding, done) => done() })
  // As a terminal readline shows what is typed itself: for a secret, to nobody.
  const asking = createInterface({ input: stdin, output: isSecret ? silent : stderr, terminal: true, historySize: 0 })
  if (isSecret) stderr.write(question)
  return new Promise<string>((resolve, reject) => {
    const interrupted = () => {
      // What comes next begins a line; after a secret it does in any case.
      if (!isSecret) stderr.write('\n')
      reject(new Interrupted())
    }
    signal.addEventListener('abort', interrupted)
    asking.on('SIGINT', interrupted)
    asking.on('close', () => reject(new Failure(EXIT.usage, 'No input.')))
    asking.question(isSecret ? '' : question, resolve)
  }).finally(() => {
    // Gives the terminal back as it was.
    asking.close()
    if (isSecret) stderr.write('\n')
  })
}
