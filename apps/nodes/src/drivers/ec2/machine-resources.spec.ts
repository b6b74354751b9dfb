import fc from 'fast-check'
import {
  type Ec2Goal,
  type Ec2Instance,
  type Ec2Step,
  type Ec2Volume,
  isNotTerminated,
  type MachineResources,
  nextStep,
  nextStepToRemove,
} from './machine-resources.js'

const GOAL: Ec2Goal = { running: true, spec: 'as wanted', sizeGiB: 100 }
const STATES = ['pending', 'running', 'stopping', 'stopped', 'shutting-down', 'terminated'] as const

const anInstance = (more: Partial<Ec2Instance> = {}): Ec2Instance => ({
  id: 'i-1',
  state: 'running',
  launchedAt: 1,
  spec: GOAL.spec,
  launch: 1,
  stoppedByUs: false,
  imageId: 'ami-1',
  type: 'm6i.large',
  ...more,
})
const aVolume = (more: Partial<Ec2Volume> = {}): Ec2Volume => ({
  id: 'vol-1',
  state: 'available',
  createdAt: 1,
  sizeGiB: 100,
  launch: 1,
  ...more,
})
const attached = (more: Partial<Ec2Volume> = {}) => aVolume({ state: 'in-use', attachedTo: 'i-1', ...more })

describe(nextStep, () => {
  it.each<[string, MachineResources, Partial<Ec2Goal>, Ec2Step]>([
    ['makes the volume first', { instances: [], volumes: [] }, {}, { do: 'create-volume' }],
    ['launches an instance beside it', { instances: [], volumes: [aVolume()] }, {}, { do: 'launch', launch: 1 }],
    ['launches none that is not to run', { instances: [], volumes: [aVolume()] }, { running: false }, { do: 'nothing' }],
    [
      'waits for one that begins',
      { instances: [anInstance({ state: 'pending' })], volumes: [aVolume()] },
      {},
      { do: 'wait', change: false },
    ],
    ['gives it its volume', { instances: [anInstance()], volumes: [aVolume()] }, {}, { do: 'attach', volume: 'vol-1', instance: 'i-1' }],
    ['is content then', { instances: [anInstance()], volumes: [attached()] }, {}, { do: 'nothing' }],
    [
      'makes the volume larger',
      { instances: [anInstance()], volumes: [attached({ sizeGiB: 50 })] },
      {},
      { do: 'resize-volume', volume: 'vol-1' },
    ],
    ['never makes it smaller', { instances: [anInstance()], volumes: [attached({ sizeGiB: 500 })] }, {}, { do: 'nothing' }],
    ['stops what is not to run', { instances: [anInstance()], volumes: [attached()] }, { running: false }, { do: 'stop', instance: 'i-1' }],
    ['starts what is', { instances: [anInstance({ state: 'stopped' })], volumes: [attached()] }, {}, { do: 'start', instance: 'i-1' }],
    [
      'stops in peace what is to be another',
      { instances: [anInstance()], volumes: [attached()] },
      { spec: 'new' },
      { do: 'stop', instance: 'i-1' },
    ],
    [
      'numbers the next launch before it gives one up',
      { instances: [anInstance({ state: 'stopped' })], volumes: [attached()] },
      { spec: 'new' },
      { do: 'number-launch', volume: 'vol-1', launch: 2 },
    ],
    [
      'gives up what is of an earlier launch, though nothing else differs',
      { instances: [anInstance({ state: 'stopped' })], volumes: [attached({ launch: 2 })] },
      {},
      { do: 'terminate', instance: 'i-1' },
    ],
    [
      'numbers the launch anew where the instance of this one is gone',
      { instances: [anInstance({ state: 'terminated' })], volumes: [aVolume()] },
      {},
      { do: 'number-launch', volume: 'vol-1', launch: 2 },
    ],
    [
      'keeps the instance that has the volume, of two',
      { instances: [anInstance(), anInstance({ id: 'i-0', launchedAt: 0 })], volumes: [attached()] },
      {},
      { do: 'terminate', instance: 'i-0' },
    ],
    [
      'keeps the older volume, of two',
      { instances: [], volumes: [aVolume({ id: 'vol-2', createdAt: 2 }), aVolume()] },
      {},
      { do: 'delete-volume', volume: 'vol-2' },
    ],
  ])('%s', (_, fleet, goal, step) => {
    expect(nextStep(fleet, { ...GOAL, ...goal })).toEqual(step)
  })

  it('leads to one instance with one volume from any state, and to none', () => {
    fc.assert(
      fc.property(fleets(), fc.boolean(), (fleet, running) => {
        const goal = { ...GOAL, running }
        const settled = play(fleet, (now) => nextStep(now, goal))
        const living = settled.instances.filter(isNotTerminated)
        expect(settled.volumes).toHaveLength(1)
        expect(living.map(({ state }) => state)).toEqual(running ? ['running'] : living.length > 0 ? ['stopped'] : [])
        if (running) expect([living[0]?.spec, settled.volumes[0]?.attachedTo]).toEqual([GOAL.spec, living[0]?.id])
        const gone = play(fleet, (now) => nextStepToRemove(now) ?? { do: 'nothing' })
        expect([gone.instances.filter(isNotTerminated), gone.volumes]).toEqual([[], []])
      }),
    )
  })
})

function fleets(): fc.Arbitrary<MachineResources> {
  const instance = fc.record({
    state: fc.constantFrom(...STATES),
    spec: fc.constantFrom('as wanted', 'old'),
    launch: fc.integer({ min: 1, max: 3 }),
  })
  const volume = fc.record({ launch: fc.integer({ min: 1, max: 3 }), sizeGiB: fc.constantFrom(50, 100, 200), attached: fc.nat(3) })
  return fc.record({ instances: fc.array(instance, { maxLength: 3 }), volumes: fc.array(volume, { maxLength: 3 }) }).map((drawn) => {
    const instances = drawn.instances.map((each, i) => anInstance({ ...each, id: `i-${i}`, launchedAt: i }))
    const volumes = drawn.volumes.map(({ attached: at, ...each }, i) => {
      // Its device is taken once.
      const to = drawn.volumes.findIndex(({ attached: other }) => other === at) === i ? instances[at] : undefined
      return to && isNotTerminated(to)
        ? attached({ ...each, id: `vol-${i}`, attachedTo: to.id })
        : aVolume({ ...each, id: `vol-${i}`, createdAt: i })
    })
    return { instances, volumes }
  })
}

/** What Amazon makes of the steps, until there are none. */
function play(from: MachineResources, next: (fleet: MachineResources) => Ec2Step): MachineResources {
  let fleet = from
  for (let steps = 0; steps < 100; steps++) {
    const step = next(fleet)
    const isPending = fleet.instances.some(({ state }) => state in NEXT)
    if (step.do === 'nothing' && !isPending) return fleet
    fleet = goOn(taken(fleet, step))
  }
  throw new Error('It never ends.')
}

const NEXT: Partial<Record<string, Ec2Instance['state']>> = { pending: 'running', stopping: 'stopped', 'shutting-down': 'terminated' }

function taken(fleet: MachineResources, step: Ec2Step): MachineResources {
  const { instances, volumes } = fleet
  const withState = (id: string, state: Ec2Instance['state']) => ({
    ...fleet,
    instances: instances.map((each) => (each.id === id ? { ...each, state } : each)),
  })
  const withVolume = (id: string, change: Partial<Ec2Volume>) => ({
    ...fleet,
    volumes: volumes.map((each) => (each.id === id ? { ...each, ...change } : each)),
  })
  switch (step.do) {
    case 'create-volume':
      return { ...fleet, volumes: [...volumes, aVolume({ id: `vol-${volumes.length + 10}` })] }
    case 'delete-volume':
      return { ...fleet, volumes: volumes.filter(({ id }) => id !== step.volume) }
    case 'resize-volume':
      return withVolume(step.volume, { sizeGiB: GOAL.sizeGiB })
    case 'number-launch':
      return withVolume(step.volume, { launch: step.launch })
    case 'attach':
      return withVolume(step.volume, { state: 'in-use', attachedTo: step.instance })
    case 'launch':
      return {
        ...fleet,
        instances: [...instances, anInstance({ id: `i-${instances.length + 10}`, state: 'pending', launch: step.launch })],
      }
    case 'start':
      return withState(step.instance, 'pending')
    case 'stop':
      return withState(step.instance, 'stopping')
    case 'terminate':
      return withState(step.instance, 'shutting-down')
    default:
      return fleet
  }
}

function goOn({ instances, volumes }: MachineResources): MachineResources {
  const later = instances.map((each) => ({ ...each, state: NEXT[each.state] ?? each.state }))
  const gone = new Set(later.filter((each) => !isNotTerminated(each)).map(({ id }) => id))
  const free = volumes.map((each) =>
    each.attachedTo && gone.has(each.attachedTo) ? { ...each, state: 'available', attachedTo: undefined } : each,
  )
  return { instances: later, volumes: free }
}
