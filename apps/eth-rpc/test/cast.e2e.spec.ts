import { CAST, cast, castListen } from './clients/cast.js'
import { type ClientStage, startStage } from './clients/stage.js'

// Of anvil's eighth account.
const KEY = '0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356'
const TOO_MUCH = String(2n ** 200n)
const TRANSFER = 'Transfer(address indexed,address indexed,uint256)'

let stage: ClientStage
let one: string
let other: string

const describeCast = CAST ? describe : describe.skip

describeCast('cast', () => {
  beforeAll(async () => {
    stage = await startStage()
    ;[, one, other] = stage.accounts
  })
  afterAll(() => stage.stop())

  it.each<[string, () => string[]]>([
    ['block-number', () => ['block-number']],
    ['chain-id', () => ['chain-id']],
    ['block', () => ['block', 'latest', '--json']],
    ['block finalized', () => ['block', 'finalized', '--json']],
    ['block with transactions', () => ['block', '2', '--full', '--json']],
    ['age', () => ['age', '2']],
    ['find-block', () => ['find-block', '1438269990']],
    ['tx', () => ['tx', stage.transferred, '--json']],
    ['tx --raw', () => ['tx', stage.transferred, '--raw']],
    ['receipt', () => ['receipt', stage.transferred, '--json']],
    ['balance', () => ['balance', one]],
    ['balance at a block', () => ['balance', one, '--block', '1']],
    ['nonce', () => ['nonce', one]],
    ['code', () => ['code', stage.token]],
    ['codehash', () => ['codehash', stage.token]],
    ['storage', () => ['storage', stage.token, one]],
    ['storage-root', () => ['storage-root', stage.token]],
    ['proof', () => ['proof', stage.token, one]],
    ['gas-price', () => ['gas-price']],
    ['base-fee', () => ['base-fee']],
    ['estimate', () => ['estimate', stage.token, 'transfer(address,uint256)', other, '1', '--from', one]],
    ['access-list', () => ['access-list', stage.token, 'balanceOf(address)', one, '--json']],
    ['call', () => ['call', stage.token, 'balanceOf(address)(uint256)', one]],
    ['call --trace', () => ['call', stage.token, 'balanceOf(address)(uint256)', one, '--trace']],
    ['logs', () => ['logs', '--from-block', '0', '--address', stage.token, '--json']],
    ['logs of an event', () => ['logs', '--from-block', '0', TRANSFER, '--json']],
    ['rpc', () => ['rpc', 'eth_getBlockReceipts', '0x2']],
    ['rpc --raw', () => ['rpc', 'eth_feeHistory', '["0x4","latest",[25,75]]', '--raw']],
    ['rpc net_version', () => ['rpc', 'net_version']],
  ])('%s prints the same through the gateway as from a node', async (_, args) => {
    const said = await stage.both(({ http }) => cast(http, ...args()))
    expect(said).toMatchObject({ code: 0, error: '' })
  })

  it.each<[string, () => string[]]>([
    ['a call that reverts', () => ['call', stage.token, 'transfer(address,uint256)', other, TOO_MUCH, '--from', one]],
    ['a call that reverts for no reason', () => ['call', stage.token, '0x12345678']],
    ['an estimate of what reverts', () => ['estimate', stage.token, 'transfer(address,uint256)', other, TOO_MUCH, '--from', one]],
    ['a block that is not there', () => ['block', '10000']],
    ['a transaction that is not there', () => ['tx', `0x${'12'.repeat(32)}`]],
    ['a transaction that is none', () => ['publish', '0x1234']],
  ])('%s gets the same error from the gateway as from a node', async (_, args) => {
    const said = await stage.both(({ http }) => cast(http, ...args()))
    expect(said).toMatchObject({ code: 1, out: '' })
  })

  it('works over a WebSocket', async () => {
    const said = await stage.both(({ webSocket }) => cast(webSocket, 'block', '2', '--full', '--json'))
    expect(said).toMatchObject({ code: 0, error: '' })
  })

  it('makes and sends transactions', async () => {
    const payment = [other, '--value', '12', '--private-key', KEY]
    await stage.both(({ http }) => cast(http, 'mktx', ...payment))
    const { out } = await cast(stage.through.http, 'send', '--async', ...payment)
    await stage.mine()
    const receipt = await stage.both(({ http }) => cast(http, 'receipt', out.trim(), '--json'))
    expect(JSON.parse(receipt.out)).toMatchObject({ transactionHash: out.trim(), status: '0x1' })
  })

  it('waits for the receipt of what it has sent', async () => {
    const sending = cast(stage.through.http, 'send', stage.token, 'transfer(address,uint256)', other, '0', '--private-key', KEY, '--json')
    let isSent = false
    void sending.then(() => {
      isSent = true
    })
    while (!isSent) await stage.mine()
    expect(JSON.parse((await sending).out)).toMatchObject({ status: '0x1', logs: { length: 1 } })
  })

  it('receives logs', async () => {
    const args = ['logs', '--subscribe', '--address', stage.token]
    const transferred = async () => {
      await stage.transfer(one, 1n)
      await stage.mine()
    }
    await stage.bothHear<string>(async ({ webSocket }, hear) => castListen(webSocket, args, hear), transferred)
  })

  it('is admitted with a token that the project does not require', async () => {
    const { code } = await cast(stage.through.http, 'block-number', '--jwt-secret', `0x${'12'.repeat(32)}`)
    expect(code).toBe(0)
  })
})
