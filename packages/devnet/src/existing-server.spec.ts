import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { requireListeningServer } from './existing-server.js'

describe(requireListeningServer, () => {
  it('accepts a server that answers', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `nats://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(await requireListeningServer('NATS_URL', url, 4222)).toBe(url)
    server.close()
  })

  it('says where nothing answers, without the password', async () => {
    await expect(requireListeningServer('DATABASE_URL', 'postgresql://me:secret@127.0.0.1:1/x', 5432)).rejects.toThrow(
      'Nothing answers at 127.0.0.1:1, where DATABASE_URL says there is a server.',
    )
  })

  it('refuses what is no URL', async () => {
    await expect(requireListeningServer('NATS_URL', 'somewhere', 4222)).rejects.toThrow('NATS_URL is not a URL.')
  })
})
