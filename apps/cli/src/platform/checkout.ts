import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { EXIT, Failure } from '../failure/failure.js'

const Manifest = z.object({ name: z.literal('trestle') })

/** The checkout of Trestle that a folder is in. */
export function checkoutOf(folder: string): string {
  for (let path = resolve(folder); ; path = dirname(path)) {
    if (isCheckout(path)) return path
    if (path !== dirname(path)) continue
    throw new Failure(
      EXIT.usage,
      `${resolve(folder)} is not in a Trestle checkout.`,
      'Change to one, or pass --dir <folder>. To get one, clone the Trestle repository; it only needs Node 20 and npm.',
    )
  }
}

function isCheckout(folder: string): boolean {
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest) || !existsSync(join(folder, 'tools/bootstrap.mjs'))) return false
  try {
    return Manifest.safeParse(JSON.parse(readFileSync(manifest, 'utf8'))).success
  } catch {
    return false
  }
}
