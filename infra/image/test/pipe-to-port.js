import { connect } from 'node:net'

// The emulator starts this for each connection that a guest makes to an address that stands for a port of this machine.

const port = Number(process.argv[2])
const connection = connect(port, '127.0.0.1')
process.stdin.pipe(connection)
connection.pipe(process.stdout)
connection.on('error', () => process.exit(1))
connection.on('close', () => process.exit(0))
