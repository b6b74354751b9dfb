import { mkdirSync, writeFileSync } from 'node:fs'

interface Verdict {
  readonly name: string
  /** A sentence. */
  readonly target: string
  readonly met: boolean
  readonly rows: readonly Record<string, string | number>[]
}

/** Prints the table, writes it as JSON, and makes the process fail if the target is missed. */
export function report(verdict: Verdict): void {
  console.log(`\n${verdict.name}`)
  console.table(verdict.rows)
  console.log(`${verdict.met ? 'met' : 'MISSED'}: ${verdict.target}`)
  const folder = new URL('../results/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    new URL(`${verdict.name.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase()}.json`, folder),
    `${JSON.stringify(verdict, null, 2)}\n`,
  )
  if (!verdict.met) process.exitCode = 1
}

export function rounded(value: number, digits = 1): number {
  return Number(value.toFixed(digits))
}
