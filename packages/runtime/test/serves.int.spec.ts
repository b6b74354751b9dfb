import { Client } from './client.js'
import { bootTestService, USER } from './test-service.js'

const client = new Client()

beforeAll(async () => {
  client.service = await bootTestService()
})

afterAll(() => client.service.stop())

it('passes the caller and the parsed input to the method, and responds with the declared status', async () => {
  expect(await client.get('/items/5')).toMatchObject({ status: 200, body: { name: `5 of ${USER}` } })
  expect(await client.post('/items', { name: 'two', size: 2 })).toMatchObject({
    status: 201,
    body: { name: 'two', size: 2 },
  })
})

it('answers 204 without a body', async () => {
  expect(await client.send('DELETE', '/items/5', { headers: { authorization: 'Bearer good' } })).toMatchObject({ status: 204, text: '' })
})

it('answers a report with its media type', async () => {
  const { headers, text } = await client.get('/report?mb=1')
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(text).toHaveLength(1024 * 1024)
})
