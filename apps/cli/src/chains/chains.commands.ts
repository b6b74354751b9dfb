import { chainDiscovery } from '@trestle/contracts/chains/discovery'
import { command } from '../command/command.js'

const chains = command({
  name: 'chains',
  about: 'The chains this platform serves.',
  details: ['Needs no login.'],
  calls: { base: '', endpoints: [chainDiscovery.list] },
  examples: [
    ['trestle chains', 'each with its network and its address'],
    ["trestle chains -o json | jq -r '.[].name'", 'what --chain takes'],
  ],
  run: ({ session, signal }) => session.open.chains.list({ signal }),
  view: (served) => ({
    head: ['NAME', 'CHAIN', 'NETWORK', 'ID', 'UNIT', 'URL'],
    rows: served.map(({ name, title, network, chainId, unit, url }) => [name, title, network, chainId ?? '', unit, url]),
    none: 'None.',
  }),
})

export const chainsCommands = [chains]
