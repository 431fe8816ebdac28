// main.js - what the extension registers, in both hosts. desktop.js and web.js give the host: how the adapter is
// reached, and how a trace is chosen.
'use strict';
const vscode = require('vscode');
const launch = require('./launch.js');
const moment = require('./moment.js');
const timeline = require('./timeline.js');
const answer = require('./answer.js');
const output = require('./output.js');
const values = require('./values.js');

exports.activate = (context, host) => {
    const moments = moment.create(context);
    context.subscriptions.push(
        vscode.debug.registerDebugConfigurationProvider('hindsight', launch.provider(host)),
        vscode.debug.registerDebugAdapterDescriptorFactory('hindsight', {
            createDebugAdapterDescriptor: session => host.adapter(session),
        }),
        vscode.commands.registerCommand('hindsight.openTrace', () => launch.openTrace(host)));
    timeline.activate(context, moments);
    answer.activate(context, moments);
    output.activate(context, moments);
    values.activate(context, moments);
};
