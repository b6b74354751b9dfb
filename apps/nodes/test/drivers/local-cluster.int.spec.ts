import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { findDaemon } from '@trestle/devnet/chains/daemon'
import type { ProcessRecord } from '../../src/drivers/local/records.js'
import type { ProbedMachine } from '../../src/software/probe.client.js'
import { MACHINE_USER } from '../../src/software/program-setup.js'
import { removed, retryUntilDefined, settled } from './driver-suite.js'
import { type LocalHarness, localHarness } from './local-harness.js'

// 127.0.0.1, and TCP_LISTEN, as Linux numbers them.
const LOOPBACK = '0100007F'
const LISTENING = '0A'

describe('machines of a cluster', () => {
  let harness: LocalHarness
  beforeAll(async () => {
    harness = await localHarness('ltc', { litecoind: (await findDaemon('litecoind')).command })
  })
  afterAll(() => harness.close())

  it('follow one chain, whichever of them was restarted', async () => {
    const driver = harness.driver()
    const wanted = [0, 1, 2].map(() => ({ id: `node-${randomUUID()}`, blueprint: harness.blueprint, running: true, password: 'secret' }))
    const members = await Promise.all(wanted.map(async (machine) => ({ machine, seen: await settled(driver, machine) })))
    const probed = members.map(({ machine, seen }) => ({ ...machine, address: seen.address!, peer: seen.peerAddress! }))
    const joinAll = () =>
      retryUntilDefined(async () => {
        for (const each of probed)
          await harness.probe.connectPeers(
            each,
            probed.filter((other) => other !== each).map(({ peer }) => peer),
          )
        return true
      })
    await joinAll()
    await joinAll()
    const [first, second] = [probed[0]!, probed[1]!]
    await mine(first, 3)
    await untilAt(probed, 3)

    await harness.crash(wanted[0]!.id)
    await mine(second, 2)
    await settled(driver, wanted[0]!)
    await joinAll()
    await untilAt(probed, 5)
    for (const { id } of wanted) expect(new Set(await listeningOf(id))).toEqual(new Set([LOOPBACK]))
    for (const machine of wanted) await removed(driver, machine)
  })

  /** The addresses at which its process listens, as /proc writes them. */
  async function listeningOf(id: string): Promise<string[]> {
    const { identity } = JSON.parse(readFileSync(join(harness.settings.dataDir, id, 'process.json'), 'utf8')) as ProcessRecord
    const descriptors = `/proc/${identity?.pid}/fd`
    const sockets = readdirSync(descriptors).map((name) => readlinkSync(join(descriptors, name)))
    const lines = ['tcp', 'tcp6'].flatMap((table) => readFileSync(`/proc/net/${table}`, 'utf8').split('\n').slice(1))
    return lines
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === LISTENING && sockets.includes(`socket:[${inode}]`))
      .map(([, address = '']) => address.split(':')[0] ?? '')
  }

  async function mine({ address, password }: ProbedMachine, count: number): Promise<void> {
    const authorization = `Basic ${Buffer.from(`${MACHINE_USER}:${password}`).toString('base64')}`
    const body = JSON.stringify({ id: 0, method: 'generatetodescriptor', params: [count, `raw(51)`] })
    const answer = await fetch(`http://127.0.0.1:${address.port}`, { method: 'POST', headers: { authorization }, body })
    expect(await answer.json()).toMatchObject({ error: null })
  }

  function untilAt(machines: readonly ProbedMachine[], height: number): Promise<true> {
    return retryUntilDefined(async () => {
      const seen = await Promise.all(machines.map((machine) => harness.probe.probe(machine)))
      return seen.every((each) => each.height === height) || undefined
    })
  }
})
