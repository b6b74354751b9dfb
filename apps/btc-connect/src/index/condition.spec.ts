import { BadBlock, ChainMoved, NodeOnWrongNetwork, NodePruned, NodeUnreachable } from '../node/node-errors.js'
import { conditionOf, DeepReorg, progressTo } from './condition.js'

describe(conditionOf, () => {
  it.each([
    [new NodeUnreachable('gone'), 'node-unreachable'],
    [new NodeOnWrongNetwork('gone'), 'wrong-network'],
    [new NodePruned('gone'), 'node-pruned'],
    [new BadBlock('gone'), 'bad-block'],
    [new DeepReorg('gone'), 'deep-reorg'],
    [new ChainMoved('gone'), 'syncing'],
  ])('names the condition of %s', (error, name) => {
    expect(conditionOf(error)).toEqual({ name, detail: 'gone' })
  })

  it.each([new Error('ours'), 'nothing'])('has no condition for %s', (error) => {
    expect(conditionOf(error)).toBeUndefined()
  })
})

describe(progressTo, () => {
  it.each([
    [5, 5, 'finished'],
    [4, 5, 'syncing'],
    [6, 5, 'syncing'],
  ])('with %i blocks of a node with %i is %s', (height, node, name) => {
    expect(progressTo(height, { height: node }).name).toBe(name)
  })

  it('is never finished before the node has finished', () => {
    const detail = 'The node itself has 5 of 900 blocks so far.'
    expect(progressTo(5, { height: 5, goal: 900 })).toEqual({ name: 'syncing', detail })
  })
})
