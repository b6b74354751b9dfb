import { cut, sanitize } from '../output/width.js'
import { type TerminalOutput, terminalWidth } from './streams.js'

const BAR = 24

/** The progress of a long operation: one line that changes on a terminal, a line for each change elsewhere. */
export class Progress {
  private printed = ''
  private isShown = false

  constructor(
    private readonly output: TerminalOutput,
    private readonly title: string,
  ) {}

  /** `share` is from 0 to 1, if it is known. */
  update(detail: string, share?: number | null): void {
    const text = sanitize(detail)
    if (!this.output.isTTY) {
      if (text === this.printed) return
      this.printed = text
      this.output.write(`${this.title}: ${text}\n`)
      return
    }
    const line = [this.title, ...(typeof share === 'number' ? [barOf(share)] : []), text].join('  ')
    this.output.write(`\r\x1b[2K${cut(line, terminalWidth(this.output, 80) - 1)}`)
    this.isShown = true
  }

  clear(): void {
    if (this.isShown) this.output.write('\r\x1b[2K')
    this.isShown = false
  }
}

function barOf(share: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * BAR)
  return `[${'#'.repeat(full)}${'-'.repeat(BAR - full)}] ${(share * 100).toFixed(1)} %`
}
