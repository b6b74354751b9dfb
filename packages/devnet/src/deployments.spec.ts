import { createServer, type Server } from 'node:net'
import { DEPLOYMENTS } from '@trestle/contracts/areas'
import { chosenDeployments, fixedPorts, portsFrom, randomPorts } from './deployments.js'

const everything = () => true
const names = (deployments: readonly { name: string }[]) => deployments.map(({ name }) => name)
const accounts = DEPLOYMENTS.filter(({ name }) => name === 'accounts')

describe(chosenDeployments, () => {
  it('takes all that is built', () => {
    expect(chosenDeployments(everything)).toEqual(DEPLOYMENTS)
    expect(names(chosenDeployments((app) => app === 'accounts' || app === 'nodes'))).toEqual(['accounts', 'nodes'])
  })

  it('takes every deployment of an app, or one by its name, and accounts always', () => {
    expect(names(chosenDeployments(everything, ['eth-rpc']))).toEqual(['accounts', 'eth', 'etc'])
    expect(names(chosenDeployments(everything, ['eth']))).toEqual(['accounts', 'eth'])
  })

  it('refuses what is not there', () => {
    const built = (app: string) => app === 'accounts'
    expect(() => chosenDeployments(built, ['accounts', 'staking'])).toThrow('There is no service "staking". There is: accounts.')
  })
})

describe(portsFrom, () => {
  it('reads the port of a deployment and nothing else that ends in _PORT', () => {
    expect(portsFrom({ ACCOUNTS_PORT: '4100', REDIS_PORT: 'tcp://10.0.0.1:6379', ETH_PORT: '' })).toEqual({ accounts: 4100 })
  })

  it.each(['abc', '0', '64536', '4000.5', '-1'])('refuses %s', (value) => {
    expect(() => portsFrom({ ACCOUNTS_PORT: value })).toThrow(`ACCOUNTS_PORT is "${value}"`)
  })
})

describe('ports', () => {
  let taken: Server
  let port: number
  beforeAll(async () => {
    const found = await randomPorts(accounts)
    port = found.get('accounts')?.public ?? 0
    taken = createServer().listen(port, '127.0.0.1')
  })
  afterAll(() => void taken.close())

  it('are the usual ones, or those asked for, and 1000 higher inside', async () => {
    const [ingress = 0, service = 0] = [...(await randomPorts(accounts)).values()].map((ports) => ports.internal)
    const ports = await fixedPorts(accounts, { accounts: service, ingress })
    expect(ports.get('accounts')).toEqual({ public: service, internal: service + 1000 })
    expect(ports.get('ingress')).toEqual({ public: ingress, internal: ingress + 1000 })
  })

  it('that are taken are refused, with the way out', async () => {
    await expect(fixedPorts(accounts, { accounts: port })).rejects.toThrow(
      `Port ${port} is taken, and accounts wants it. Stop what listens there, or choose another: ACCOUNTS_PORT=<port> npm start`,
    )
  })

  it('that are taken are named all at once', async () => {
    const error = await fixedPorts(accounts, { accounts: port, ingress: port - 1000 }).catch((thrown: Error) => thrown)
    expect(String(error).match(/Port \d+ is taken, and \w+ wants it/g)).toEqual([
      `Port ${port} is taken, and accounts wants it`,
      `Port ${port} is taken, and ingress wants it`,
    ])
  })

  it('at random are all different', async () => {
    const ports = [...(await randomPorts(DEPLOYMENTS)).values()].flatMap((each) => [each.public, each.internal])
    expect(new Set(ports).size).toBe(2 * (DEPLOYMENTS.length + 1))
  })
})
