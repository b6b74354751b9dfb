import { networkOf } from '@trestle/ethereum/network'
import { FakeUpstream } from '../../test/fake-upstream.js'
import { Web3signerClient } from './web3signer.client.js'

const PUBKEY = Buffer.alloc(48, 1)
const SIGN = `POST /api/v1/eth2/sign/0x${PUBKEY.toString('hex')}`
const MESSAGE = { epoch: 5n, validatorIndex: 9n }

let fake: FakeUpstream
let signer: Web3signerClient

beforeEach(async () => {
  fake = await FakeUpstream.start()
  signer = new Web3signerClient(fake.url, 'The signer of eu')
})
afterEach(async () => {
  await signer.close()
  await fake.stop()
})

describe(Web3signerClient, () => {
  it('has an exit signed for Capella, whatever the fork is (EIP-7044)', async () => {
    fake.answers[SIGN] = { body: { signature: `0x${'22'.repeat(96)}` } }
    expect(await signer.signExit(PUBKEY, MESSAGE, networkOf('hoodi'))).toEqual({ message: MESSAGE, signature: Buffer.alloc(96, 0x22) })
    expect(JSON.parse(fake.asked[0]!.body)).toEqual({
      type: 'VOLUNTARY_EXIT',
      fork_info: {
        fork: { previous_version: '0x40000910', current_version: '0x40000910', epoch: '0' },
        genesis_validators_root: '0x212f13fc4df078b6cb7db228f1c8307566dcecf900867401a92023d7ba99cb5f',
      },
      voluntary_exit: { epoch: '5', validator_index: '9' },
    })
  })

  it('reports a refusal of its slashing protection', async () => {
    fake.answers[SIGN] = { status: 412, body: 'Signing operation failed due to slashing protection rules' }
    await expect(signer.signExit(PUBKEY, MESSAGE, networkOf('hoodi'))).rejects.toThrow('The signer of eu refuses to sign the exit.')
  })

  it('holds no fee addresses, and says so', async () => {
    expect(signer.keepsFeeRecipients).toBe(false)
    await expect(signer.setFeeRecipient()).rejects.toThrow('set it in the validator client in front of it')
  })

  it('serves keystores as a validator client does', async () => {
    fake.answers['GET /eth/v1/keystores'] = { body: { data: [{ validating_pubkey: `0x${PUBKEY.toString('hex')}` }] } }
    expect(await signer.list()).toEqual([PUBKEY])
  })
})
