import type { SignerClient } from '../src/signers/signer.js'
import { Stage } from './stage.js'

let stage: Stage
let honest: Stage['signers']['of']
beforeAll(async () => {
  stage = await Stage.open()
  honest = stage.signers.of.bind(stage.signers)
})
afterEach(() => {
  stage.signers.of = honest
})
afterAll(() => stage.close())

describe('a signer that lies', () => {
  it('has no key that it does not list, whatever it says: the owner is told to wait', async () => {
    lie({ import: async () => {} })
    const key = await stage.create()
    await stage.pass()
    expect(await stage.row(key)).toMatchObject({ ready_at: null, signer_problem: expect.stringContaining('did not list the key') })
    stage.signers.of = honest
    await stage.pass()
    expect(await stage.row(key)).toMatchObject({ ready_at: expect.any(Date), signer_problem: null })
  })

  it('has no fee address that it does not tell back', async () => {
    lie({ setFeeRecipient: async () => {} })
    const key = await stage.create()
    await stage.pass()
    expect(await stage.row(key)).toMatchObject({
      ready_at: null,
      signer_problem: expect.stringContaining('took the fee address, and has another'),
    })
    stage.signers.of = honest
    await stage.pass()
    expect(await stage.row(key)).toMatchObject({ ready_at: expect.any(Date), signer_problem: null })
  })

  it('releases no key with a history that nobody can read, or of another chain', async () => {
    const key = await stage.create()
    await stage.pass()
    await stage.want(key, 'removed_at', new Date())
    const metadata = { interchange_format_version: '5', genesis_validators_root: `0x${'99'.repeat(32)}` }
    for (const [history, problem] of [
      ['[]', 'is not an object'],
      [JSON.stringify({ metadata, data: [] }), 'of another chain'],
    ] as const) {
      lie({ remove: async () => history })
      await stage.pass()
      expect(await stage.row(key)).toMatchObject({ released_at: null, signer_problem: expect.stringContaining(problem) })
    }
    stage.signers.of = honest
    await stage.pass()
    expect(await stage.row(key)).toMatchObject({ released_at: expect.any(Date), signer_problem: null })
  })

  it('signs no exit of another validator for us: it is signed here instead', async () => {
    const [key, other] = [await stage.create(), await stage.create()]
    await stage.pass()
    for (const { depositCall } of [key, other]) await stage.deposit(depositCall)
    await stage.until(other, 'active_ongoing')
    await stage.until(key, 'active_ongoing')
    lie({ signExit: async (_, exit, network) => honest('dev', 'eu').signExit(other.pubkey, exit, network) })
    await stage.want(key, 'exit_requested_at', new Date())
    await stage.until(key, 'active_exiting')
    expect(await stage.row(other)).toMatchObject({ exit_epoch: null, beacon_status: 'active_ongoing' })
    const { rows } = await stage.pool.query('SELECT pubkey FROM signed_exit')
    expect(rows).toEqual([{ pubkey: key.pubkey }])
  })

  it('was never the reason that two signed with one key', async () => {
    expect(await stage.doubleSigners()).toEqual([])
  })
})

function lie(lies: Partial<SignerClient>): void {
  stage.signers.of = (chain, region) => Object.assign(Object.create(honest(chain, region)), lies)
}
