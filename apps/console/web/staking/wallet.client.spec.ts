import { sendWith, signWith } from './wallet.client.js'

const TRANSACTION = { to: '0xcc', value: '0x1', data: '0x22895118', chainId: '0x539' }

describe(sendWith, () => {
  it('has the transaction sent by the first account', async () => {
    const { wallet, calls } = walletThat({ chainId: '0x0539' })
    await expect(sendWith(wallet, TRANSACTION)).resolves.toBe('0xhash')
    expect(calls.at(-1)).toEqual({ method: 'eth_sendTransaction', params: [{ ...TRANSACTION, from: '0xme' }] })
  })

  it('asks the wallet to go to the chain of the deposit first', async () => {
    const { wallet, calls } = walletThat({ chainId: '0x1', switches: true })
    await sendWith(wallet, TRANSACTION)
    expect(calls.map(({ method }) => method)).toContain('wallet_switchEthereumChain')
  })

  it('sends nothing on another chain, even if the wallet says that it has switched', async () => {
    const { wallet, calls } = walletThat({ chainId: '0x1' })
    await expect(sendWith(wallet, TRANSACTION)).rejects.toMatchObject({
      code: 'WalletRefused',
      detail: expect.stringMatching(/another chain than 1337/),
    })
    expect(calls.map(({ method }) => method)).not.toContain('eth_sendTransaction')
  })

  it.each([
    [{ code: 4001, message: 'User rejected' }, /Nothing was sent/],
    [{ code: 4902, message: 'Unrecognized chain' }, /Add it there first/],
    [new Error('insufficient funds'), /insufficient funds/],
    ['?', /unexpected response/],
  ])('explains why the wallet refused: %j', async (error, expected) => {
    const wallet = { request: () => Promise.reject(error) }
    await expect(sendWith(wallet, TRANSACTION)).rejects.toMatchObject({ code: 'WalletRefused', detail: expect.stringMatching(expected) })
  })
})

describe(signWith, () => {
  it('has the bytes of the text signed', async () => {
    const { wallet, calls } = walletThat({ chainId: '0x1' })
    await expect(signWith(wallet, 'dev:é', '0xme')).resolves.toBe('0xsigned')
    expect(calls.at(-1)).toEqual({ method: 'personal_sign', params: ['0x6465763ac3a9', '0xme'] })
  })
})

function walletThat({ chainId, switches = false }: { chainId: string; switches?: boolean }) {
  const calls: { method: string; params?: readonly unknown[] }[] = []
  let chain = chainId
  const answers: Record<string, () => unknown> = {
    eth_requestAccounts: () => ['0xme', '0xother'],
    eth_chainId: () => chain,
    wallet_switchEthereumChain: () => {
      if (switches) chain = TRANSACTION.chainId
      return null
    },
    eth_sendTransaction: () => '0xhash',
    personal_sign: () => '0xsigned',
  }
  const request = async (call: (typeof calls)[number]) => {
    calls.push(call)
    return answers[call.method]?.()
  }
  return { wallet: { request }, calls }
}
