import { methodNamed } from '../src/methods/method.js'
import type { startFaultyStage } from './faulty-stage.js'
import { resultOfRpc } from './json-rpc.js'

export type SoundnessStage = Awaited<ReturnType<typeof startFaultyStage>>

const SOMEBODY = `0x${'12'.repeat(20)}`

/** Whatever was asked, the next who asks is answered; and no node was asked for anything but what everybody may ask. */
export function staysHealthy(stage: () => SoundnessStage): void {
  afterEach(async () => {
    const { url, anvils } = stage()
    expect(await resultOfRpc(url, 'eth_blockNumber')).toBe(await anvils.nodes[0]!.rpc.call('eth_blockNumber'))
    expect(await resultOfRpc(url, 'eth_getBalance', SOMEBODY)).toBe('0x0')
  })
  afterAll(() => {
    const asked = new Set(stage().upstreams.flatMap(({ tally }) => Object.keys(tally)))
    expect([...asked].filter((name) => methodNamed(name)?.name !== name)).toEqual([])
  })
}
