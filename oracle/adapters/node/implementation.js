#!/usr/bin/env node
// planner.js, held to the rules:
//
//   poolproof conform --impl "node oracle/adapters/node/implementation.js"
//
// SPDX-License-Identifier: MIT
'use strict';
const planner = require('./planner');
const poolproof = require('./poolproof_stdio');

poolproof.serve({ name: "poolproof's Node example", ...planner });
