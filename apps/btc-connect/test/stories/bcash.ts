import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '@trestle/devnet/ports'
import { startProcess } from '@trestle/devnet/process'
import { eventually } from '@trestle/testing/eventually'
import { NodeConsole } from './node-console.js'

/** Bitcoin Cash as it was before CashTokens, in memory; from a folder in which npm has installed bcash. */
export async function startBcash(folder: string) {
  const dir = mkdtempSync(join(tmpdir(), 'trestle-bcash-'))
  const [port = 0] = await freePorts(1)
  const cookieFile = join(dir, '.cookie')
  writeFileSync(cookieFile, 'bitcoinrpc:secret')
  const { NODE_OPTIONS, ...inherited } = process.env
  const settings = ['network=regtest', 'memory=true', 'listen=false', 'index-tx=true', 'no-wallet', 'api-key=secret']
  const running = startProcess({
    name: 'bcash',
    command: process.execPath,
    args: [join(folder, 'node_modules/bcash/bin/node'), ...[...settings, `prefix=${dir}`, `http-port=${port}`].map((each) => `--${each}`)],
    // Cryptography in JavaScript: its own addon need not be compiled.
    env: { ...inherited, NODE_BACKEND: 'js' },
    log: join(dir, 'bcash.log'),
  })
  const url = `http://127.0.0.1:${port}`
  const console = new NodeConsole({ url, cookieFile })
  await eventually(
    async () => {
      if (!running.isRunning()) throw new Error(`bcash ended:\n${running.lastLines()}`)
      return console.call('getblockcount').catch(() => undefined)
    },
    'bcash answers',
    60_000,
  )
  return {
    coin: 'bch',
    url,
    cookieFile,
    console,
    async stop() {
      await running.stop()
      rmSync(dir, { recursive: true })
    },
  } as const
}

export type Bcash = Awaited<ReturnType<typeof startBcash>>
