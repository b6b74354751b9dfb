import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findDaemon } from '@trestle/devnet/chains/daemon'
import { freePorts } from '@trestle/devnet/ports'
import { startProcess } from '@trestle/devnet/process'
import { basic } from './gateway-under-test.js'

const PASSWORD = 'only-the-gateway-knows'

/** A real node on a chain of its own that lets the gateway in, and nobody else. */
export async function startRegtestNode() {
  const { name, command } = await findDaemon('litecoind')
  const folder = mkdtempSync(join(tmpdir(), 'regtest-node-'))
  const [port = 0] = await freePorts(1)
  const settings = ['regtest', 'server=1', 'rest=1', 'txindex=1', 'listen=0', 'disablewallet=1', 'vbparams=mweb:9999999999:9999999999']
  const address = [
    'rpcbind=127.0.0.1',
    'rpcallowip=127.0.0.1',
    `rpcport=${port}`,
    `rpcauth=trestle:salt$${hashed('salt')}`,
    `datadir=${folder}`,
  ]
  const node = startProcess({ name, command, args: [...settings, ...address].map((each) => `-${each}`), log: join(folder, 'log') })
  const url = `http://127.0.0.1:${port}`
  while (!(await answers(url))) {
    if (!node.isRunning()) throw new Error(node.lastLines(10))
    await delay(20)
  }
  return {
    url,
    password: PASSWORD,
    async stop() {
      await node.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

/** What the program says that everybody who runs a node calls it with: it comes with the daemon. */
export async function commandLineClient(args: readonly string[]): Promise<{ code: number; output: string }> {
  const { command } = await findDaemon('litecoind')
  const program = [join(dirname(command), 'litecoin-cli'), join(dirname(command), 'usr/bin/litecoin-cli'), '/usr/bin/litecoin-cli'].find(
    existsSync,
  )
  if (!program) throw new Error(`There is no litecoin-cli beside ${command}.`)
  const ran = promisify(execFile)(program, [...args])
  return ran.then(
    ({ stdout }) => ({ code: 0, output: stdout.trim() }),
    ({ code, stderr }) => ({ code, output: String(stderr).trim() }),
  )
}

function hashed(salt: string): string {
  return createHmac('sha256', salt).update(PASSWORD).digest('hex')
}

function answers(url: string): Promise<boolean> {
  const body = '{"method":"getblockcount"}'
  return fetch(url, { method: 'POST', body, headers: { authorization: basic('trestle', PASSWORD) } }).then(
    ({ ok }) => ok,
    () => false,
  )
}
