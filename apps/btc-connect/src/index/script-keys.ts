import { hash } from 'node:crypto'

const SECRET_LENGTH = 16
const LONGEST_SCRIPT = 10_000

/** How the script of an owner becomes its key in this index: 16 bytes that nobody can foresee who does not know the secret. */
export function scriptKeys(secret: Buffer): (ownerScript: Buffer) => Buffer {
  const scratch = Buffer.alloc(SECRET_LENGTH + LONGEST_SCRIPT)
  secret.copy(scratch)
  return (script) => {
    script.copy(scratch, SECRET_LENGTH)
    return hash('sha256', scratch.subarray(0, SECRET_LENGTH + script.length), 'buffer').subarray(0, 16)
  }
}
