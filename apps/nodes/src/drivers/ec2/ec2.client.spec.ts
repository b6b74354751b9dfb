import { Ec2Client } from './ec2.client.js'

const SETTINGS = { installation: 'testing', region: 'eu-west-1', subnet: 'subnet-1', securityGroups: ['sg-1'] }
const LAUNCH = { id: 'node-1', number: 3, spec: 'a fingerprint', imageId: 'ami-1', type: 'm6i.large', userData: '#cloud-config' }

describe(Ec2Client.prototype.launchInput, () => {
  const calls = new Ec2Client(SETTINGS)
  const input = calls.launchInput(LAUNCH)

  it('requests one instance, the same when repeated', () => {
    expect(input).toMatchObject({ MinCount: 1, MaxCount: 1, ClientToken: 'node-1/3' })
    expect(calls.launchInput(LAUNCH)).toEqual(input)
    // Amazon takes no longer one.
    expect(calls.launchInput({ ...LAUNCH, id: `node-${crypto.randomUUID()}`, number: 99_999 }).ClientToken!.length).toBeLessThanOrEqual(64)
  })

  it('allows metadata only with a session, and not through another hop', () => {
    expect(input.MetadataOptions).toEqual({ HttpTokens: 'required', HttpPutResponseHopLimit: 1 })
  })

  it('carries its identity in tags', () => {
    const tags = Object.fromEntries(input.TagSpecifications![0]!.Tags!.map(({ Key, Value }) => [Key, Value]))
    expect(tags).toEqual({
      'trestle:machine': 'node-1',
      'trestle:installation': 'testing',
      'trestle:spec': 'a fingerprint',
      'trestle:launch': '3',
      Name: 'node-1',
    })
  })
})
