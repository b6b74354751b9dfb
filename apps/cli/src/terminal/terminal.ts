import { EXIT, Failure } from '../failure/failure.js'
import { sanitize } from '../output/width.js'
import { Progress } from './progress.js'
import { prompt } from './prompt.js'
import { type TerminalStreams, terminalWidth } from './streams.js'

/** The terminal of the user. Data goes to the standard output, everything else to the error output. */
export class Terminal {
  private progress?: Progress

  constructor(
    private readonly streams: TerminalStreams,
    private readonly isColourless: boolean,
    private readonly signal: AbortSignal,
  ) {}

  /** Whether a user can answer questions. */
  get isInteractive(): boolean {
    return Boolean(this.streams.stdin.isTTY && this.streams.stderr.isTTY)
  }

  get canvas() {
    const { stdout } = this.streams
    const isTerminal = Boolean(stdout.isTTY)
    return { isTerminal, width: isTerminal ? terminalWidth(stdout, undefined) : undefined, hasColour: isTerminal && !this.isColourless }
  }

  /** Data. */
  write(text: string): void {
    this.progress?.clear()
    this.streams.stdout.write(text)
  }

  /** A message that is not data. */
  note(text: string): void {
    this.progress?.clear()
    this.streams.stderr.write(`${text.split('\n').map(sanitize).join('\n')}\n`)
  }

  /** Shows the progress of a long operation, until `endProgress`. */
  startProgress(title: string): Progress {
    this.progress = new Progress(this.streams.stderr, title)
    return this.progress
  }

  endProgress(): void {
    this.progress?.clear()
    this.progress = undefined
  }

  /** Prompts for a line. Without a terminal it fails with `otherwise`, which says what to do instead. */
  async ask(question: string, otherwise: string): Promise<string> {
    this.requireTerminal(otherwise)
    return prompt(this.streams, { question, isSecret: false, signal: this.signal })
  }

  /** The same, without echo. */
  async askSecret(question: string, otherwise: string): Promise<string> {
    this.requireTerminal(otherwise)
    return prompt(this.streams, { question, isSecret: true, signal: this.signal })
  }

  /** Continues only if the user says yes, or has passed `--yes`. */
  async confirm(question: string, isConfirmed: boolean): Promise<void> {
    if (isConfirmed) return
    const answer = await this.ask(`${question} [y/N] `, 'No terminal to confirm: pass --yes.')
    if (!/^y(es)?$/i.test(answer.trim())) throw new Failure(EXIT.unexpected, 'Nothing was done.')
  }

  /** The whole standard input, without a line break at its end. */
  async readAll(): Promise<string> {
    const { stdin } = this.streams
    // At a terminal it would be echoed, and nothing would say what the program is waiting for.
    if (stdin.isTTY) throw new Failure(EXIT.usage, 'This is read from the standard input, not from a terminal: pipe it in, or use < file.')
    const chunks: Buffer[] = []
    for await (const chunk of stdin) chunks.push(Buffer.from(chunk))
    return Buffer.concat(chunks)
      .toString()
      .replace(/\r?\n$/, '')
  }

  private requireTerminal(otherwise: string): void {
    if (!this.isInteractive) throw new Failure(EXIT.usage, otherwise)
  }
}
