import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { linger } from '@trestle/runtime/client-error'

/** A response on the connection of an upgrade: what is written to it is a refusal, and the last answer there. */
export function upgradeResponse(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  // What Node does for the answers on a connection that it still reads itself.
  socket.on('error', () => socket.destroy())
  socket.on('drain', () => response.emit('drain'))
  response.once('finish', () => linger(socket.end()))
  return response
}
