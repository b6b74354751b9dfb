import { rmSync } from 'node:fs'
import { dataDir, devnet } from './start-platform.mjs'

export default async function stopPlatform() {
  await devnet?.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
