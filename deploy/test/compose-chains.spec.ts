import { servedChains } from '@trestle/contracts/chains/configuration'
import { parse } from 'yaml'
import { withChains } from '../src/compose.js'
import { read } from './repository.js'

const FILE = 'chains: [{ name: my-chain, chainId: 424242, title: Mine, unit: MNE, blockSeconds: 2 }]'

describe(withChains, () => {
  const text = withChains(read('docker-compose.yml'), servedChains({ names: 'doge:testnet,base,my-chain', file: FILE }))
  const { services } = parse(text, { merge: true })

  it('runs the chains that are listed, and no others', () => {
    expect(services.doge.environment).toMatchObject({
      CHAIN: 'doge',
      NETWORK: `\${DOGE_NETWORK:-testnet}`,
      PORT: 4013,
      INTERNAL_PORT: 5013,
    })
    expect(services.base).toMatchObject({ profiles: ['base'], environment: { CHAIN: 'base', BASE_PATH: '/base', PORT: 4024 } })
    expect(services['my-chain'].environment.DATABASE_URL).toContain(
      `trestle_my_chain:\${MY_CHAIN_UPSTREAMS:+\${MY_CHAIN_DATABASE_PASSWORD:?`,
    )
    expect(services['migrate-my-chain'].command.at(-1)).toBe('eth-rpc:my-chain')
    expect(['btc', 'eth', 'migrate-btc'].filter((name) => name in services)).toEqual([])
  })

  it.each(['ingress', 'console'])('tells %s where they are', (name) => {
    expect(services[name].environment).toMatchObject({
      TRESTLE_CHAINS: `doge:\${DOGE_NETWORK:-testnet},base:\${BASE_CHAIN_ID:-},my-chain:\${MY_CHAIN_CHAIN_ID:-}`,
      DOGE_URL: `\${DOGE_NODE_URL:+http://doge:4013}`,
      BASE_URL: `\${BASE_UPSTREAMS:+http://base:4024}`,
      MY_CHAIN_URL: `\${MY_CHAIN_UPSTREAMS:+http://my-chain:4060}`,
    })
    expect(services[name].environment).not.toHaveProperty('BTC_URL')
  })

  it.each(['ingress', 'console', 'my-chain'])('mounts the file that describes the chains into %s', (name) => {
    const { environment, volumes } = services[name]
    expect(environment).toMatchObject({ TRESTLE_CHAINS_FILE: `\${TRESTLE_CHAINS_FILE:+/etc/trestle/chains.yaml}` })
    expect(volumes).toEqual([`\${TRESTLE_CHAINS_FILE:-/dev/null}:/etc/trestle/chains.yaml:ro`])
  })

  it('gives each chain an identity in NATS, and accounts the names of all', () => {
    expect(Object.keys(services.nats.environment)).toEqual(
      ['ACCOUNTS', 'STAKING', 'NODES', 'DOGE', 'BASE', 'MY_CHAIN'].map((name) => `${name}_NATS_NKEY`),
    )
    expect(services['my-chain'].environment.NATS_NKEY_SEED).toBe(`\${MY_CHAIN_NATS_NKEY_SEED:?run npm run nats:identities}`)
    expect(services.accounts.environment.TRESTLE_CHAINS).toBe(services.ingress.environment.TRESTLE_CHAINS)
  })

  it('leaves the rest of the file as it is', () => {
    expect(withChains(text, servedChains({}))).toBe(read('docker-compose.yml'))
  })
})
