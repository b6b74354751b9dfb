import { DEPLOYMENTS } from '@trestle/contracts/areas'
import { planEthereum } from './plan.js'

const missing = () => {
  throw new Error('There is no anvil.')
}

describe(planEthereum, () => {
  it('gives the chains of Ethereum their program', () => {
    expect(planEthereum(DEPLOYMENTS, () => '/anvil')).toEqual({
      deployments: ['eth', 'etc'],
      staking: true,
      command: '/anvil',
      notes: [],
    })
  })

  it('leaves them out where there is none, and says so', () => {
    expect(planEthereum(DEPLOYMENTS, missing)).toEqual({
      deployments: [],
      staking: false,
      command: '',
      notes: ['/staking, /eth, /etc are left out. There is no anvil.'],
    })
    const [eth] = DEPLOYMENTS.filter(({ name }) => name === 'eth')
    expect(planEthereum(eth ? [eth] : [], missing).notes).toEqual(['/eth is left out. There is no anvil.'])
  })

  it('looks for nothing that is not needed', () => {
    expect(
      planEthereum(
        DEPLOYMENTS.filter(({ name }) => name === 'btc'),
        missing,
      ).notes,
    ).toEqual([])
  })
})
