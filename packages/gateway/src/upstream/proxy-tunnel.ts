import { request as requestOverHttp } from 'node:http'
import { request as requestOverHttps } from 'node:https'
import type { Socket } from 'node:net'
import { basicAuthorization } from './request-head.js'

/** Gets the tunnel, or why there is none. */
type TunnelListener = (error: Error | undefined, socket?: Socket) => void

/** Has a proxy open a connection to that host and port (RFC 9110 section 9.3.6). Credentials are those of the proxy's address. */
export function openTunnel(proxy: URL, authority: string, listener: TunnelListener): void {
  const { hostname, port, username, password } = proxy
  const isTls = proxy.protocol === 'https:'
  const credentials = username || password ? basicAuthorization(decodeURIComponent(username), decodeURIComponent(password)) : undefined
  const request = (isTls ? requestOverHttps : requestOverHttp)({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (isTls ? 443 : 80),
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...(credentials && { 'proxy-authorization': credentials }) },
    agent: false,
  })
  request.once('connect', ({ statusCode }, socket, head) => {
    // Whoever speaks first here is not the upstream.
    if (statusCode === 200 && head.length === 0) listener(undefined, socket as Socket)
    else {
      socket.destroy()
      listener(refusal(statusCode))
    }
  })
  request.once('response', (response) => {
    response.destroy()
    listener(refusal(response.statusCode))
  })
  request.once('error', (error) => listener(error))
  request.end()
}

function refusal(status: number | undefined): Error {
  return Object.assign(new Error('the proxy refused'), { code: `PROXY_STATUS_${status}` })
}
