import fc from 'fast-check'
import { OpenSockets, SOCKET_REFUSALS, type SocketOwner } from './open-sockets.engine.js'

const LIMITS = { address: 3, project: 4, user: 5, all: 7 }
const owner = fc.record({
  address: fc.constantFrom('a', 'b', 'c'),
  project: fc.constantFrom('p', 'q', 'r'),
  user: fc.constantFrom('u', 'v'),
})

describe(OpenSockets, () => {
  it.each<[string, Partial<SocketOwner>, string]>([
    ['an address', { address: 'a' }, 'too many WebSockets are open from this address'],
    ['a project', { project: 'p' }, 'too many WebSockets of this project are open'],
    ['a user', { user: 'u' }, "too many WebSockets of this project's owner are open"],
    ['the process', {}, 'too many WebSockets are open here'],
  ])('says that %s has too many', (_, same, reason) => {
    const open = new OpenSockets(LIMITS)
    for (let at = 0; at < 7; at++) {
      const each = { address: `${at}`, project: `${at}`, user: `${at}`, ...same }
      if (!open.limitReached(each)) open.add(each)
    }
    const limit = open.limitReached({ address: 'x', project: 'x', user: 'x', ...same })
    expect(limit && SOCKET_REFUSALS[limit]).toBe(reason)
  })

  it('never has more than its limits, and room again for each that closes', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(owner, fc.nat()), { maxLength: 60 }), (steps) => {
        const open = new OpenSockets(LIMITS)
        const sockets: SocketOwner[] = []
        for (const step of steps) {
          if (typeof step === 'number') for (const gone of sockets.splice(step % 8, 1)) open.remove(gone)
          else {
            const full = (['address', 'project', 'user'] as const).some(
              (kind) => sockets.filter((each) => each[kind] === step[kind]).length >= LIMITS[kind],
            )
            const isRefused = full || sockets.length >= LIMITS.all
            expect(open.limitReached(step) !== undefined).toBe(isRefused)
            if (isRefused) continue
            open.add(step)
            sockets.push(step)
          }
        }
      }),
    )
  })
})
