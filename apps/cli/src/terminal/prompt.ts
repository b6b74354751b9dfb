import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { EXIT, Failure, Interrupted } from '../failure/failure.js'
import type { TerminalStreams } from './streams.js'

interface PromptQuestion {
  readonly question: string
  /** Without echo. */
  readonly isSecret: boolean
  readonly signal: AbortSignal
}

/** Prompts on the error output: the standard output is for data. */
export function prompt(
  { stdin, stderr }: Pick<TerminalStreams, 'stdin' | 'stderr'>,
  { question, isSecret, signal }: PromptQuestion,
): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  // Readline echoes what is typed to its output: a secret goes nowhere.
  const readline = createInterface({ input: stdin, output: isSecret ? silent : stderr, terminal: true, historySize: 0 })
  if (isSecret) stderr.write(question)
  return new Promise<string>((resolve, reject) => {
    const interrupted = () => {
      // The next output begins a new line; after a secret `finally` sees to it.
      if (!isSecret) stderr.write('\n')
      reject(new Interrupted())
    }
    signal.addEventListener('abort', interrupted)
    readline.on('SIGINT', interrupted)
    readline.on('close', () => reject(new Failure(EXIT.usage, 'No input.')))
    readline.question(isSecret ? '' : question, resolve)
  }).finally(() => {
    // Restores the terminal.
    readline.close()
    if (isSecret) stderr.write('\n')
  })
}
