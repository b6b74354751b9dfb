import { EXIT, Failure } from '../failure/failure.js'
import { sanitize } from '../output/width.js'
import { Progress } from './progress.js'
import { prompt } from './prompt.js'
import type { TerminalStreams } from './streams.js'

/** Where people are. What is data goes to the standard output, all else to the error output. */
export class Terminal {
  private progress?: Progress

  constructor(
    private readonly streams: TerminalStreams,
    private readonly isColourless: boolean,
    private readonly signal: AbortSignal,
  ) {}

  /** Whether somebody is there to answer. */
  get isInteractive(): boolean {
    return Boolean(this.streams.stdin.isTTY && this.streams.stderr.isTTY)
  }

  get canvas() {
    const { isTTY, columns } = this.streams.stdout
    return { isTerminal: Boolean(isTTY), width: isTTY ? columns : undefined, hasColour: Boolean(isTTY) && !this.isColourless }
  }

  /** Data. */
  write(text: string): void {
    this.progress?.clear()
    this.streams.stdout.write(text)
  }

  /** Something to know, that is no data. */
  note(text: string): void {
    this.progress?.clear()
    this.streams.stderr.write(`${text.split('\n').map(sanitize).join('\n')}\n`)
  }

  /** Shows how far a long work is, until the answer is called. */
  startProgress(title: string): Progress {
    this.progress = new Progress(this.streams.stderr, title)
    return this.progress
  }

  endProgress(): void {
    this.progress?.clear()
    this.progress = undefined
  }

  /** What somebody answers; whoever cannot be asked is told how to do without. */
  async ask(question: string, otherwise: string): Promise<string> {
    this.requireSomebody(otherwise)
    return prompt(this.streams, { question, isSecret: false, signal: this.signal })
  }

  /** The same, without showing it. */
  async askSecret(question: string, otherwise: string): Promise<string> {
    this.requireSomebody(otherwise)
    return prompt(this.streams, { question, isSecret: true, signal: this.signal })
  }

  /** Goes on only if somebody says yes, or has said so. */
  async confirm(question: string, isConfirmed: boolean): Promise<void> {
    if (isConfirmed) return
    const answer = await this.ask(`${question} [y/N] `, 'No terminal to confirm: pass --yes.')
    if (!/^y(es)?$/i.test(answer.trim())) throw new Failure(EXIT.unexpected, 'Nothing was done.')
  }

  /** All that is piped in, without a line break at its end. */
  async readAll(): Promise<string> {
    const { stdin } = this.streams
    // At a terminal it would be seen as it is typed, and nobody would know what is waited for.
    if (stdin.isTTY) throw new Failure(EXIT.usage, 'This is read from the standard input, not from a terminal: pipe it in, or use < file.')
    const pieces: Buffer[] = []
    for await (const piece of stdin) pieces.push(Buffer.from(piece))
    return Buffer.concat(pieces)
      .toString()
      .replace(/\r?\n$/, '')
  }

  private requireSomebody(otherwise: string): void {
    if (!this.isInteractive) throw new Failure(EXIT.usage, otherwise)
  }
}
