import { jest } from '@jest/globals'
import { OnDemandTopic } from './on-demand-topic.engine.js'

describe(OnDemandTopic, () => {
  beforeEach(() => void jest.useFakeTimers())
  afterEach(() => void jest.useRealTimers())

  it('runs from the first listener until some time after the last', () => {
    const turns: boolean[] = []
    const topic = new OnDemandTopic<number>((on) => turns.push(on))
    const reported: number[] = []
    const [first, second] = [topic.listen((value) => reported.push(value)), topic.listen((value) => reported.push(-value))]
    topic.notify(1)
    first()
    topic.notify(2)
    second()
    jest.advanceTimersByTime(9_000)
    const third = topic.listen(() => {})
    jest.advanceTimersByTime(9_000)
    expect(turns).toEqual([true])
    expect(reported).toEqual([1, -1, -2])
    third()
    jest.advanceTimersByTime(10_000)
    expect(turns).toEqual([true, false])
  })
})
