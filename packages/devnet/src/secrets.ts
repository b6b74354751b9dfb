import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from './write-atomically.js'

/** The random secrets of this installation: made at the first asking, the same ever after. */
export class Secrets {
  private readonly file: string
  private readonly known: Record<string, string>

  constructor(dataDir: string) {
    this.file = join(dataDir, 'secrets.json')
    this.known = existsSync(this.file) ? JSON.parse(readFileSync(this.file, 'utf8')) : {}
  }

  /** 32 random bytes in base64, unless made in another way. */
  get(name: string, make: () => string = () => randomBytes(32).toString('base64')): string {
    const known = this.known[name]
    if (known) return known
    const made = make()
    this.known[name] = made
    writeAtomically(this.file, this.known)
    return made
  }
}
